#!/usr/bin/env python3
"""Tests heddle-mark-gathers and heddle-pull-rows with random programs.

Each program is lowered and compiled as it is, and its output is the reference.
Then it is compiled with the loops marked that heddle-mark-gathers takes for
independent, under several schedules, or with --rows with the rows packed that
heddle-pull-rows finds, in edge vectors of several kinds; every difference, crash
or timeout is a failure, and its program is kept in a directory.

Exit status: 0 without failures; 1 with some, or where too few loops were changed
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
from programs.rows import generate_rows

TOOL_SECONDS = 60
RUN_SECONDS = 20
DRIVER = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                      "..", "passes", "mlir", "Inputs", "loops.c")
PULL = re.compile(r"\bheddle\.pull ")
MARK = re.compile(r"(call void \(i32, \.\.\.\) @__heddle_mark\(i32 0)\)")


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", action="store_true", help="test heddle-pull-rows")
    parser.add_argument("--programs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1, help="of the first program")
    parser.add_argument("--heddle-opt", required=True, metavar="FILE")
    parser.add_argument("--mlir-translate", required=True, metavar="FILE")
    parser.add_argument("--clang", required=True, metavar="FILE")
    parser.add_argument("--passes", required=True, metavar="FILE", help="HeddlePasses.so")
    parser.add_argument(
        "--least-changed", type=float, default=8, metavar="PERCENT", help="of the loops"
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
        self.changed = 0
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

    def reference(self, source):
        outcome = self.run(self.lower(source, "async=false threads=false"), ["-O1"])
        if not outcome.succeeded:
            raise Failed("the program is not valid (a bug of the generator)")
        return outcome.output

    def check(self, outcome, reference, description):
        problem = compare(outcome, reference)
        if problem:
            raise Failed(f"{problem[0]}, {description}\n{problem[1]}")

    def marks(self, rng, source):
        reference = self.reference(source)
        threads = rng.choice(["true", "false"])
        marked = self.lower(source, f"threads={threads}")
        self.changed += len(MARK.findall(marked))
        if not MARK.search(marked):
            return
        for scheduler in 2, 1:  # lockstep, fifo
            tasks = rng.choice([1, 2, 3, 16, 64])
            level = rng.choice(["-O1", "-O2", "-O3"])
            text = MARK.sub(rf"\1, i32 1, i32 {tasks}, i32 2, i32 {scheduler})", marked)
            self.check(self.run(text, [level, f"-fpass-plugin={self.options.passes}"]), reference,
                       f"{level}, {tasks} tasks, scheduler {scheduler}, threads={threads}")

    def rows(self, rng, source):
        reference = self.reference(source)
        pulled = self.tool([self.options.heddle_opt, source, "--heddle-pull-rows"]).output
        self.changed += len(PULL.findall(pulled))
        for _ in range(2):
            lanes, bits = rng.choice([(16, 32), (8, 32), (8, 64), (4, 64)])
            pipeline = (f"vectorsparse lanes={lanes} lane-bits={bits} "
                        f"narrowest-gather={rng.choice([0, 8, 32, 64])} "
                        f"threads={rng.choice(['true', 'false'])}")
            flags = [rng.choice(["-O1", "-O2", "-O3"]),
                     rng.choice(["-march=native", "-march=x86-64-v2"]),
                     f"-fpass-plugin={self.options.passes}"]
            self.check(self.run(self.lower(source, pipeline), flags), reference,
                       f"{pipeline}, {' '.join(flags)}")


def main():
    options = parse_arguments()
    seeds = range(options.seed, options.seed + options.programs)
    generate = generate_rows if options.rows else generate_mlir
    if options.print:
        for seed in seeds:
            print(generate(seed))
        return 0
    failed = 0
    with tempfile.TemporaryDirectory(prefix="heddle-differential-") as directory:
        test = Test(options, directory)
        check = test.rows if options.rows else test.marks
        for seed in seeds:
            source = test.file(f"program-{seed}.mlir")
            with open(source, "w", encoding="utf-8") as file:
                file.write(generate(seed))
            try:
                check(random.Random(f"variants {seed}"), source)
            except Failed as error:
                failed += 1
                os.makedirs(options.keep, exist_ok=True)
                kept = shutil.copy(source, options.keep)
                print(f"program {seed}: {error}\n  kept: {kept}", flush=True)
    percentage = 100 * test.changed / (LOOPS * options.programs)
    print(f"programs {seeds[0]} to {seeds[-1]}: {failed} failed; "
          f"{percentage:.0f} % of the loops were {'pulled' if options.rows else 'marked'}")
    return 1 if failed or percentage < options.least_changed else 0


if __name__ == "__main__":
    sys.exit(main())
