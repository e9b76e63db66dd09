"""Shrinks a failing program while it fails in the same way.

Works on the generator's text, where a line is a statement, or opens or closes
a block. Each step removes something, and is kept if the smaller program is
still free of undefined behaviour and still fails.
"""

import dataclasses
import os
import re

from .check import REFERENCE, InvalidProgram, check_configuration, expected_output

# The checks that every smaller program must pass, beyond compiling.
STRICT = [
    "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
    "-Wno-everything", "-Werror=uninitialized", "-Werror=conditional-uninitialized",
]


class Reducer:
    def __init__(self, toolchain, program, failure, directory):
        self.toolchain = toolchain
        self.program = program
        self.failure = failure
        suffix = ".c" if program.language == "c" else ".cpp"
        self.source = os.path.join(directory, f"reducing{suffix}")

    def still_fails(self, lines):
        """Whether these lines are a valid program with the same failure."""
        program = dataclasses.replace(self.program, source="\n".join(lines) + "\n")
        with open(self.source, "w", encoding="utf-8") as file:
            file.write(program.source)
        executable = f"{self.source}.reference"
        try:
            expected = expected_output(self.toolchain, program, self.source, executable)
        except InvalidProgram:
            return False
        settings = [self.failure.setting] if self.failure.setting else [REFERENCE]
        failure, _ = check_configuration(
            self.toolchain, program, self.source, self.failure.configuration, expected, settings
        )
        if not failure or failure.kind != self.failure.kind:
            return False
        return self.is_well_defined(program, executable, expected)

    def is_well_defined(self, program, executable, expected):
        command = self.toolchain.command(program, self.source, executable, STRICT)
        command.remove("-w")
        if not self.toolchain.compile(command).succeeded:
            return False
        outcome = self.toolchain.run(executable, REFERENCE, sanitized=True)
        return outcome.succeeded and outcome.output == expected

    def reduce(self):
        lines = self.program.source.splitlines()
        if not self.still_fails(lines):
            return None  # it failed by chance, or the program is at fault
        lines = self.drop_loops(lines)
        while True:
            before = len(lines)
            for units in (8, 3, 1):
                lines = self.drop_units(lines, units)
            lines = self.unwrap_blocks(lines)
            lines = self.drop_clauses(lines)
            lines = self.shorten_calls(lines)
            if len(lines) == before:
                return lines

    def drop_loops(self, lines):
        """Removes whole functions together with their calls and arrays."""
        numbers = {match[1] for line in lines if (match := re.match(r".* loop_(\d+)\(", line))}
        for number in sorted(numbers, key=int):
            mentions = re.compile(rf"\b(loop|Walker)_{number}\b|_{number}_\d+\b")
            kept = []
            for first, last in top_level_units(lines):
                if lines[first].startswith("int main"):
                    kept += [line for line in lines[first:last] if not mentions.search(line)]
                elif not any(mentions.search(line) for line in lines[first:last]):
                    kept += lines[first:last]
            if self.still_fails(kept):
                lines = kept
        return lines

    def drop_units(self, lines, units):
        """Removes statements and blocks, so many at a time, the last first:
        uses go before declarations."""
        position = len(lines) - 1
        while position >= 0:
            last = position
            for _ in range(units):
                last = None if last is None else unit_end(lines, last)
            if last is not None and self.still_fails(lines[:position] + lines[last:]):
                lines = lines[:position] + lines[last:]
            position -= 1
        return lines

    def unwrap_blocks(self, lines):
        """Replaces a block by what is in it."""
        position = len(lines) - 1
        while position >= 0:
            last = unit_end(lines, position)
            if last and last - position > 2 and lines[position].endswith("{"):
                smaller = lines[:position] + lines[position + 1 : last - 1] + lines[last:]
                if self.still_fails(smaller):
                    lines = smaller
            position -= 1
        return lines

    def drop_clauses(self, lines):
        for position, line in enumerate(lines):
            if not line.lstrip().startswith("#pragma"):
                continue
            for clause in re.findall(r" \w+\([^()]*\)", line):
                shorter = lines[position].replace(clause, "", 1)
                smaller = lines[:position] + [shorter] + lines[position + 1 :]
                if self.still_fails(smaller):
                    lines = smaller
        return lines

    def shorten_calls(self, lines):
        """Lets the loops run as few iterations as still show the failure."""
        for position, line in enumerate(lines):
            call = re.match(r"(  loop_\d+.*\()(\d+)(\);)$", line)
            for count in (2, 3, 5, 9, 17, 33, 65, 129) if call else ():
                if count >= int(call[2]):
                    break
                shorter = f"{call[1]}{count}{call[3]}"
                smaller = lines[:position] + [shorter] + lines[position + 1 :]
                if self.still_fails(smaller):
                    lines = smaller
                    break
        return lines


def unit_end(lines, first):
    """The line after the statement or block that begins at `first`, or None
    where nothing begins there."""
    if first >= len(lines):
        return None
    text = lines[first].strip()
    if text.startswith("}"):
        return None
    if not text or text.endswith((";", ":")) or text.startswith(("#", "//")):
        return first + 1
    if text.endswith("{"):
        depth = 0
        for position in range(first, len(lines)):
            code = lines[position].strip()
            depth += code.endswith("{") - code.startswith("}")
            if depth == 0:
                return position + 1
        return None
    # A condition without braces, or the first line of a long statement.
    return unit_end(lines, first + 1)


def top_level_units(lines):
    position = 0
    while position < len(lines):
        last = unit_end(lines, position) or position + 1
        yield position, last
        position = last


def reduce_failure(toolchain, program, failure, directory):
    """Returns the lines of a smaller program, or None if it fails no more."""
    return Reducer(toolchain, program, failure, directory).reduce()
