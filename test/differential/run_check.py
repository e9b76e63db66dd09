#!/usr/bin/env python3
"""Tests -fheddle-check with random programs.

Each program is compiled with the check. It must print what the plain program
prints and report nothing. With --plant, a call of a function of planted.h stands
in its first annotated loop, and a conflict must be reported.

Exit status: 0 without failures, 1 with some. Programs that fail are kept.
"""

import argparse
import difflib
import os
import re
import shlex
import shutil
import sys
import tempfile

from generate import feature_set
from harness.processes import Processes
from harness.toolchain import COMPILE_SECONDS, SUPPORT
from programs.program import generate
from programs.states import CONFLICTS

RUN_SECONDS = 120
LEVELS = ("-O1", "-O0", "-O2")
PRAGMA = re.compile(r"^#pragma heddle async[^\n]*\n(?:[^\n]*[^{\n]\n)*[^\n]*\{\n", re.M)
FUNCTION = re.compile(r"\bvoid (plant\w+)\(void\)")


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


def planted(source, seed):
    """The program with a violation in its first loop, and the violation's name."""
    with open(os.path.join(SUPPORT, "planted.h"), encoding="utf-8") as file:
        names = FUNCTION.findall(file.read())
    name = names[seed % len(names)]
    loop = PRAGMA.search(source)
    include = '#include "support.h"\n'
    source = source[: loop.end()] + f"      {name}();\n" + source[loop.end() :]
    return source.replace(include, include + '#include "planted.h"\n', 1), name


class CheckedProgram:
    def __init__(self, options, processes, directory, seed):
        self.options = options
        self.processes = processes
        # Loops that may be left early run too few iterations.
        left_early = {"hard"} if options.plant else set()
        self.program = generate(seed, None, options.without | left_early | CONFLICTS)
        self.seed = seed
        self.text = self.program.source
        self.name = ""
        if options.plant:
            self.text, self.name = planted(self.text, seed)
        suffix = ".c" if self.program.language == "c" else ".cpp"
        self.source = os.path.join(directory, f"program-{seed}{suffix}")

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
            file.write(self.text)
        environment = {"OMP_NUM_THREADS": "1" if self.options.plant else "2"}
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
        if self.options.plant and f"in {self.name}" not in checked.errors \
                and "in plantedText" not in checked.errors:
            return f"{self.name} is not found: {checked.errors}"
        if not self.options.plant and checked.errors:
            return checked.errors
        return ""


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
