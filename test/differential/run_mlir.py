#!/usr/bin/env python3
"""Tests heddle-mark-gathers with random programs.

Each program is lowered and compiled without marks, and its output is the
reference. Then it is compiled with the loops marked that heddle-mark-gathers
takes for independent, under several schedules; every difference, crash or
timeout is a failure, and its program is kept in a directory.

Exit status: 0 without failures; 1 with some, or where too few loops were marked
for the test to mean anything; 2 for a wrong command line.
"""

import argparse
import os
import random
import re
import shutil
import sys
import tempfile

from harness.check import compare
from harness.processes import Processes
from programs.mlir import LOOPS, generate_mlir

TOOL_SECONDS = 60
RUN_SECONDS = 20
DRIVER = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                      "..", "mlir", "Inputs", "loops.c")
MARK = re.compile(r"(call void \(i32, \.\.\.\) @__heddle_mark\(i32 0)\)")


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--programs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1, help="of the first program")
    parser.add_argument("--heddle-opt", required=True, metavar="FILE")
    parser.add_argument("--mlir-translate", required=True, metavar="FILE")
    parser.add_argument("--clang", required=True, metavar="FILE")
    parser.add_argument("--passes", required=True, metavar="FILE", help="HeddlePasses.so")
    parser.add_argument(
        "--least-marked", type=float, default=8, metavar="PERCENT", help="of the loops"
    )
    parser.add_argument("--keep", default="differential-failures", metavar="DIRECTORY")
    parser.add_argument("--print", action="store_true", help="print the programs, and no more")
    return parser.parse_args()


class Failed(Exception):
    """What went wrong with one program."""


class Test:
    def __init__(self, options, directory):
        self.options = options
        self.directory = directory
        self.processes = Processes()
        self.marked = 0
        self.driver = self.file("driver.o")
        self.tool([options.clang, "-O1", "-c", DRIVER, "-o", self.driver])

    def file(self, name):
        return os.path.join(self.directory, name)

    def tool(self, command):
        outcome = self.processes.run(command, TOOL_SECONDS)
        if not outcome.succeeded:
            raise Failed(f"{' '.join(command)}\n{outcome.errors}")
        return outcome

    def lower(self, source, pipeline):
        """The program as LLVM IR."""
        lowered = self.file("lowered.mlir")
        self.tool([self.options.heddle_opt, source, f"--heddle-to-llvm={pipeline}",
                   "-o", lowered])
        return self.tool([self.options.mlir_translate, "--mlir-to-llvmir", lowered]).output

    def run(self, text, flags):
        module, executable = self.file("program.ll"), self.file("program")
        with open(module, "w", encoding="utf-8") as file:
            file.write(text)
        self.tool([self.options.clang, "-w", *flags, module, self.driver, "-fopenmp=libomp",
                   "-o", executable])
        return self.processes.run([executable], RUN_SECONDS, {"OMP_NUM_THREADS": "2"})

    def program(self, seed, source):
        rng = random.Random(f"schedules {seed}")
        reference = self.run(self.lower(source, "async=false threads=false"), ["-O1"])
        if not reference.succeeded:
            raise Failed("the program is not valid (a bug of the generator)")
        threads = rng.choice(["true", "false"])
        marked = self.lower(source, f"threads={threads}")
        self.marked += len(MARK.findall(marked))
        if not MARK.search(marked):
            return
        for scheduler in 2, 1:  # lockstep, static
            tasks = rng.choice([1, 2, 3, 16, 64])
            level = rng.choice(["-O1", "-O2", "-O3"])
            text = MARK.sub(rf"\1, i32 1, i32 {tasks}, i32 2, i32 {scheduler})", marked)
            outcome = self.run(text, [level, f"-fpass-plugin={self.options.passes}"])
            problem = compare(outcome, reference.output)
            if problem:
                raise Failed(f"{problem[0]}, {level}, {tasks} tasks, scheduler {scheduler}, "
                             f"threads={threads}\n{problem[1]}")


def main():
    options = parse_arguments()
    seeds = range(options.seed, options.seed + options.programs)
    if options.print:
        for seed in seeds:
            print(generate_mlir(seed))
        return 0
    failed = 0
    with tempfile.TemporaryDirectory(prefix="heddle-differential-") as directory:
        test = Test(options, directory)
        for seed in seeds:
            source = test.file(f"program-{seed}.mlir")
            with open(source, "w", encoding="utf-8") as file:
                file.write(generate_mlir(seed))
            try:
                test.program(seed, source)
            except Failed as error:
                failed += 1
                os.makedirs(options.keep, exist_ok=True)
                kept = shutil.copy(source, options.keep)
                print(f"program {seed}: {error}\n  kept: {kept}", flush=True)
    percentage = 100 * test.marked / (LOOPS * options.programs)
    print(f"programs {seeds[0]} to {seeds[-1]}: {failed} failed; "
          f"{percentage:.0f} % of the loops were marked")
    return 1 if failed or percentage < options.least_marked else 0


if __name__ == "__main__":
    sys.exit(main())
