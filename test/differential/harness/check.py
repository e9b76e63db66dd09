"""Checks one program: reference against versions under test."""

import os
import random
import re
import shlex
from dataclasses import dataclass, replace

from .toolchain import INCLUDE, Configuration, Setting

REFERENCE = Setting(threads=1, tune="")
SMALL_STACK_KIB = 128
MOST_DETAIL_LINES = 30
RUNTIME_WEIGHTS = {"tuner": 4, "fickle": 4, "none": 2}
FAR_ARRAYS = "-DFAR_ARRAYS"
LEVELS = ("-O0", "-O1", "-O2", "-O3")
CRASH = re.compile(r"PLEASE submit a bug report|Stack dump:|LLVM ERROR|Assertion `")
SANITIZER_REPORT = re.compile(r"runtime error:|ERROR: \w+Sanitizer|WARNING: \w+Sanitizer")


@dataclass(frozen=True)
class Failure:
    """What went wrong with one version."""

    kind: str
    configuration: Configuration
    setting: Setting  # None where the compilation failed
    command: tuple
    detail: str

    def describe(self):
        text = f"{self.kind} with {self.configuration}"
        if self.setting:
            text += f", run with {self.setting}"
        lines = self.detail.rstrip().splitlines()
        if len(lines) > MOST_DETAIL_LINES:
            lines[MOST_DETAIL_LINES:] = ["  ..."]
        return "\n".join([text, f"  {shlex.join(self.command)}", *lines])


class InvalidProgram(Exception):
    """The reference itself does not compile or does not end well."""


def configurations(program, sanitizers, count):
    """The versions of a program that are tested, chosen by its seed."""
    rng = random.Random(f"configurations {program.seed}")
    if sanitizers:
        return [Configuration((rng.choice(LEVELS),), sanitizers, rng.choice(program.runtimes))]
    weights = [RUNTIME_WEIGHTS[runtime] for runtime in program.runtimes]
    chosen = []
    # A compiler leaves loops alone without optimisation: once in a while will do.
    levels = [level for level in LEVELS if level != "-O0" or rng.random() < 0.3 or count > 3]
    for level in sorted(rng.sample(levels, count)):
        vectors = level in ("-O2", "-O3") and rng.random() < 0.3
        flags = (level, "-march=native") if vectors else (level,)
        if rng.random() < 0.3:
            flags += ("-g",)
        chosen.append(Configuration(flags, runtime=rng.choices(program.runtimes, weights)[0]))
    return chosen


def in_far_memory(configuration):
    """The same version with arrays in far memory."""
    return replace(configuration, flags=(*configuration.flags, FAR_ARRAYS, f"-I{INCLUDE}"))


def settings(program, plugin, sanitizers, is_far):
    """The ways in which one version is run."""
    if not plugin:
        return [Setting(count, "") for count in program.threads]
    # Numbers of tasks and schedules at random, and stacks as small as musl's.
    large_stack = sanitizers or is_far or "alloca" in program.source
    drawn = (f"random:{program.seed}", 0 if large_stack else SMALL_STACK_KIB)
    tunes = (("off", 0), ("", 0), drawn)
    return [Setting(count, *tune) for count in program.threads for tune in tunes]


def expected_output(toolchain, program, source, executable):
    command = toolchain.reference(program, source, executable)
    compiled = toolchain.compile(command)
    if not compiled.succeeded:
        raise InvalidProgram(f"{shlex.join(command)}\n{compiled.errors}")
    outcome = toolchain.run(executable, REFERENCE)
    if not outcome.succeeded:
        raise InvalidProgram(f"the reference ended with {status_text(outcome)}")
    return outcome.output


def status_text(outcome):
    if outcome.timed_out:
        return "a timeout"
    if outcome.status < 0:
        return f"signal {-outcome.status}"
    return f"status {outcome.status}"


def check_configuration(toolchain, program, source, configuration, expected, runs):
    """The first failure of one version, or None, and the compiler's words."""
    executable = f"{source}.under-test"
    command = toolchain.under_test(program, source, executable, configuration)
    compiled = toolchain.compile(command)
    if not compiled.succeeded:
        kind = "compilation fails"
        if compiled.timed_out:
            kind = "compiler does not end"
        elif CRASH.search(compiled.errors):
            kind = "compiler crashes"
        failure = Failure(kind, configuration, None, tuple(command), compiled.errors)
        return failure, compiled.errors
    # An order that follows from addresses shows best in debug information.
    if "-g" in configuration.flags and not same_again(toolchain, executable, command):
        kind = "compiler's output differs from one time to the next"
        return Failure(kind, configuration, None, tuple(command), ""), compiled.errors
    for setting in runs:
        far = FAR_ARRAYS in configuration.flags
        outcome = toolchain.run(executable, setting, bool(configuration.sanitizers), far)
        problem = compare(outcome, expected)
        if problem:
            kind, detail = problem
            if toolchain.plugin and is_compilers_own(
                toolchain, program, source, configuration, setting, outcome
            ):
                kind += " without the plugin as well,"
            failure = Failure(kind, configuration, setting, tuple(command), detail)
            return failure, compiled.errors
    os.remove(executable)
    return None, compiled.errors


def same_again(toolchain, executable, command):
    def contents():
        with open(executable, "rb") as file:
            return file.read()

    first = contents()
    return toolchain.compile(command).succeeded and contents() == first


def is_compilers_own(toolchain, program, source, configuration, setting, outcome):
    """True if the compiler alone makes a program that comes out wrong in the same way."""
    executable = f"{source}.without-plugin"
    command = toolchain.under_test(program, source, executable, configuration, plugin=False)
    if not toolchain.compile(command).succeeded:
        return False
    far = FAR_ARRAYS in configuration.flags
    alone = toolchain.run(executable, setting, bool(configuration.sanitizers), far)
    os.remove(executable)
    return alone == outcome


def compare(outcome, expected):
    if outcome.timed_out:
        return "program does not end", last_loop(outcome.output)
    if SANITIZER_REPORT.search(outcome.errors):
        return "sanitizer report", outcome.errors
    if outcome.status != 0:
        detail = last_loop(outcome.output) + outcome.errors
        return f"program ends with {status_text(outcome)}", detail
    if outcome.output != expected:
        return "output differs", first_difference(expected, outcome.output)
    return None


def last_loop(output):
    calls = [line for line in output.splitlines() if line.startswith("loop_")]
    return f"  after: {calls[-1]}\n" if calls else ""


def first_difference(expected, actual):
    """The first lines that differ, with the call that they belong to."""
    call = ""
    expected_lines, actual_lines = expected.splitlines(), actual.splitlines()
    length = max(len(expected_lines), len(actual_lines))
    for lines in (expected_lines, actual_lines):
        lines += ["nothing"] * (length - len(lines))
    for wanted, got in zip(expected_lines, actual_lines):
        if wanted != got:
            return f"  in {call}\n  expected: {wanted}\n  printed:  {got}\n"
        if wanted.endswith(")"):
            call = wanted
    return "  the outputs differ in their last line's end\n"
