#!/usr/bin/env python3
"""Tests -fheddle-check with random programs.

Each program is compiled with the check. It must print what the plain program
prints and report nothing. With --plant, one of its loops breaks the promise, and
a conflict must be reported between lines of what was planted, and no other one.

Exit status: 0 without failures, 1 with some. Programs that fail are kept.
"""

import argparse
import difflib
import json
import os
import shlex
import shutil
import sys
import tempfile

from generate import feature_set
from harness.processes import Processes
from harness.toolchain import COMPILE_SECONDS, SUPPORT
from programs.planted import MARK
from programs.program import CONFLICTS, generate

RUN_SECONDS = 120
LEVELS = ("-O1", "-O0", "-O2")


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--programs", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1, help="of the first program")
    parser.add_argument("--compiler", required=True, metavar="COMMAND", help="such as heddle-clang++")
    parser.add_argument("--plant", action="store_true", help="expect a conflict in each")
    parser.add_argument("--without", type=feature_set, default=frozenset(), metavar="FEATURE,...")
    parser.add_argument("--keep", default="check-failures", metavar="DIRECTORY")
    return parser.parse_args()


class CheckedProgram:
    def __init__(self, options, processes, directory, seed):
        self.options = options
        self.processes = processes
        # Loops that may be left early run too few iterations.
        ways_out = {"hard", "early-exit", "first-match", "exit-from-walk"}
        left_early = ways_out if options.plant else set()
        self.program = generate(
            seed, None, options.without | left_early | CONFLICTS, with_violation=options.plant
        )
        self.seed = seed
        suffix = ".c" if self.program.language == "c" else ".cpp"
        # Findings name it as the compiler's command line does.
        self.source = os.path.join(directory, f"program-{seed}{suffix}")
        self.findings = self.source + ".json"

    def build(self, flags):
        executable = self.source + ".out"
        language = ["-x", self.program.language, f"-std={self.program.standard}"]
        openmp = ["-fopenmp=libomp"] if self.program.openmp else []
        command = [*shlex.split(self.options.compiler), *flags, *openmp, "-w", "-I", SUPPORT,
                   *language, self.source, "-x", "none", "-o", executable]
        return executable, self.processes.run(command, COMPILE_SECONDS)

    def problem(self):
        """What is wrong; empty if nothing is."""
        with open(self.source, "w", encoding="utf-8") as file:
            file.write(self.program.source)
        environment = {"OMP_NUM_THREADS": "2"}
        if self.options.plant:
            environment = {"OMP_NUM_THREADS": "1", "HEDDLE_CHECK": f"json:{self.findings}"}
        outcomes = []
        for flags in (["-fheddle-check", LEVELS[self.seed % len(LEVELS)]], ["-O0"]):
            executable, built = self.build(flags)
            if not built.succeeded:
                return f"compilation fails: {built.errors}"
            outcomes.append(self.processes.run([executable], RUN_SECONDS, environment))
            os.remove(executable)
        checked, plain = outcomes
        if not checked.succeeded:
            return f"ends with {checked.status}: {checked.errors}"
        if checked.output != plain.output:
            lines = difflib.unified_diff(plain.output.splitlines(), checked.output.splitlines(), n=0)
            return "prints something else:\n" + "\n".join(lines)
        if self.options.plant:
            return self.problem_of_findings()
        return checked.errors

    def problem_of_findings(self):
        """What is wrong with what the check has found in a planted program."""
        if not os.path.exists(self.findings):
            return f"{self.program.violation} is not found"
        with open(self.findings, encoding="utf-8") as file:
            conflicts = json.load(file)["conflicts"]
        lines = self.program.source.splitlines()
        others = [
            conflict
            for conflict in conflicts
            if not all(
                conflict[access]["file"] == self.source
                and lines[conflict[access]["line"] - 1].endswith(MARK)
                for access in ("first", "second")
            )
        ]
        if others:
            return f"more than {self.program.violation} is found: {json.dumps(others, indent=1)}"
        return "" if conflicts else f"{self.program.violation} is not found"


def main():
    options = parse_arguments()
    failures = 0
    with tempfile.TemporaryDirectory(prefix="heddle-check-") as directory:
        processes = Processes()
        for seed in range(options.seed, options.seed + options.programs):
            program = CheckedProgram(options, processes, directory, seed)
            problem = program.problem()
            if problem:
                failures += 1
                os.makedirs(options.keep, exist_ok=True)
                shutil.copy(program.source, options.keep)
                print(f"program {seed}: {problem}", flush=True)
    print(f"programs {options.seed} to {options.seed + options.programs - 1}: {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
