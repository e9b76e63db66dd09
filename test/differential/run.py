#!/usr/bin/env python3
"""Tests the compiler with random programs.

Each program is compiled plainly at -O0 and its output, from one thread, is the
reference. Then it is compiled with the plugin in several ways and run with
several settings; every difference, crash, timeout or sanitizer report is a
failure and is kept in a directory.

Exit status: 0 without failures; 1 with some, or where too few loops were
transformed for the test to mean anything; 2 for a wrong command line.
"""

import argparse
import os
import shlex
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor, as_completed

from generate import feature_set
from harness.check import (
    InvalidProgram,
    check_configuration,
    configurations,
    expected_output,
    in_far_memory,
    settings,
)
from harness.processes import Interrupted, Processes
from harness.reduce import reduce_failure
from harness.remarks import FEATURES, Coverage
from harness.toolchain import SUPPORT, Toolchain
from programs.far import generate_far
from programs.program import generate
from programs.pull import generate_pull

SANITIZERS = ("address", "undefined", "address,undefined", "thread")


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--programs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1, help="of the first program")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--clangxx", default="clang++-22", metavar="COMMAND")
    parser.add_argument("--plugin", metavar="FILE", help="default: plain compiler")
    parser.add_argument(
        "--runtime", default="", metavar="WORDS", help="what to link with, such as libheddle.a"
    )
    parser.add_argument(
        "--configurations", type=int, default=2, metavar="N", help="versions of a program, 1 to 4"
    )
    parser.add_argument("--sanitize", choices=SANITIZERS, default="")
    parser.add_argument(
        "--without", type=feature_set, default=frozenset(), metavar="FEATURE,...",
        help="leave these features out of the programs",
    )
    parser.add_argument("--pull", action="store_true", help="programs with pull loops")
    parser.add_argument("--far", action="store_true", help="programs with arrays in far memory")
    parser.add_argument("--language", choices=["c", "c++"])
    parser.add_argument(
        "--least-transformed", type=float, default=20, metavar="PERCENT",
        help="of the annotated loops, where a plugin is given",
    )
    parser.add_argument("--keep", default="differential-failures", metavar="DIRECTORY")
    parser.add_argument("--reduce", action="store_true", help="shrink what fails")
    parser.add_argument("--stop-after", type=int, default=10, metavar="FAILURES")
    parser.add_argument("--feature-table", action="store_true",
                        help="also print how often loops with a feature were transformed")
    options = parser.parse_args()
    if options.programs < 1 or options.jobs < 1 or options.stop_after < 1:
        parser.error("--programs, --jobs and --stop-after take a positive number")
    if not 1 <= options.configurations <= 4:
        parser.error("--configurations takes a number from 1 to 4")
    if options.plugin and not os.path.isfile(options.plugin):
        parser.error(f"no plugin at {options.plugin}")
    return options


class ProgramTest:
    """One program on its way through the test."""

    def __init__(self, toolchain, directory, options, seed):
        self.toolchain = toolchain
        self.options = options
        self.seed = seed
        if options.pull:
            self.program = generate_pull(seed, options.language)
        elif options.far:
            self.program = generate_far(seed, options.without)
        else:
            self.program = generate(seed, options.language, options.without)
        suffix = ".c" if self.program.language == "c" else ".cpp"
        self.source = os.path.join(directory, f"program-{seed}{suffix}")
        self.optimised = []  # what the compiler said where it optimised
        self.failure = None
        self.invalid = None

    def run(self):
        with open(self.source, "w", encoding="utf-8") as file:
            file.write(self.program.source)
        executable = f"{self.source}.reference"
        try:
            expected = expected_output(self.toolchain, self.program, self.source, executable)
        except InvalidProgram as error:
            self.invalid = str(error)
            return self
        os.remove(executable)
        chosen = configurations(self.program, self.options.sanitize, self.options.configurations)
        if self.options.far:
            chosen = [in_far_memory(configuration) for configuration in chosen]
        runs = settings(
            self.program, self.toolchain.plugin, self.options.sanitize, self.options.far
        )
        for configuration in chosen:
            self.failure, words = check_configuration(
                self.toolchain, self.program, self.source, configuration, expected, runs
            )
            if "-O0" not in configuration.flags:
                self.optimised.append(words)
            if self.failure:
                return self
        os.remove(self.source)
        return self

    def keep(self, directory):
        """Copies what is needed to see the failure again; returns its place."""
        os.makedirs(directory, exist_ok=True)
        kept = os.path.join(directory, os.path.basename(self.source))
        shutil.copy(self.source, kept)
        for name in ("support.h", "far-support.h"):
            shutil.copy(os.path.join(SUPPORT, name), directory)
        return kept

    def describe(self, kept):
        if self.invalid:
            return f"program {self.seed} is not valid (a bug of the generator): {self.invalid}"
        lines = [f"program {self.seed}: {self.failure.describe().rstrip()}"]
        lines[0] = lines[0].replace(self.source, kept)
        for line in self.program.source.splitlines():
            match = FEATURES.match(line)
            if match and f"in {match[1]}(" in self.failure.detail:
                lines.append(f"  features: {match[2]}")
        lines.append(f"  kept: {kept}")
        return "\n".join(lines)


def show_progress(done, total, failures):
    if not sys.stderr.isatty():
        return
    width = 40
    filled = width * done // total
    bar = "#" * filled + "." * (width - filled)
    print(f"\r[{bar}] {done}/{total} programs, {failures} failed", end="", file=sys.stderr)
    if done == total:
        print(file=sys.stderr)


def run_program(toolchain, directory, options, seed):
    return ProgramTest(toolchain, directory, options, seed).run()


def test_programs(toolchain, directory, options):
    """Runs all tests; returns the failed ones and the coverage."""
    failed, coverage = [], Coverage()
    done = 0
    with ThreadPoolExecutor(options.jobs) as executor:
        seeds = range(options.seed, options.seed + options.programs)
        futures = [
            executor.submit(run_program, toolchain, directory, options, seed) for seed in seeds
        ]
        try:
            for future in as_completed(futures):
                test = future.result()
                done += 1
                for words in test.optimised:
                    coverage.add(test.program.source, words)
                if test.failure or test.invalid:
                    failed.append(test)
                    kept = test.keep(options.keep)
                    print(("\n" if sys.stderr.isatty() else "") + test.describe(kept), flush=True)
                    if len(failed) >= options.stop_after:
                        print(f"stopping after {len(failed)} failures", flush=True)
                        break
                show_progress(done, options.programs, len(failed))
        finally:
            for future in futures:
                future.cancel()
            if done < options.programs:
                toolchain.processes.stop()
    return failed, coverage


def reduce_test(toolchain, test, directory, keep):
    lines = reduce_failure(toolchain, test.program, test.failure, directory)
    if lines is None:
        print(f"program {test.seed} did not fail again")
        return
    base, suffix = os.path.splitext(os.path.basename(test.source))
    reduced = os.path.join(keep, f"{base}-reduced{suffix}")
    with open(reduced, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    print(f"program {test.seed} reduced to {len(lines)} lines: {reduced}", flush=True)


def main():
    options = parse_arguments()
    processes = Processes()
    toolchain = Toolchain(
        processes,
        shlex.split(options.clangxx),
        options.plugin and os.path.abspath(options.plugin),
        shlex.split(options.runtime),
    )
    with tempfile.TemporaryDirectory(prefix="heddle-differential-") as directory:
        try:
            toolchain.choose_linker(directory)
            toolchain.build_fickle_runtime(directory)
            if options.sanitize == "thread":
                toolchain.find_archer()
            failed, coverage = test_programs(toolchain, directory, options)
            if options.reduce:
                toolchain.processes = Processes()
                for test in failed:
                    if test.failure:
                        reduce_test(toolchain, test, directory, options.keep)
        except (KeyboardInterrupt, Interrupted):
            toolchain.processes.stop()
            print("interrupted", file=sys.stderr)
            return 130
    return conclude(options, failed, coverage)


def conclude(options, failed, coverage):
    last = options.seed + options.programs - 1
    print(f"programs {options.seed} to {last}: {len(failed)} failed")
    if not options.plugin:
        return 1 if failed else 0
    print("\n".join(coverage.summary()))
    if options.feature_table:
        print("\n".join(coverage.feature_table()))
    if not failed and coverage.percentage() < options.least_transformed:
        print(f"too few loops were transformed: {options.least_transformed:g} % are asked for")
        return 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
