"""check_clauses.py SOURCES: fails unless Fortran and MLIR have the clauses and
schedules of Clauses.def and Schedules.def, under the same names."""

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])


def records(name, pattern):
    text = (root / "passes/mark" / name).read_text()
    found = re.findall(r"^" + pattern, text, re.M)
    if not found:
        sys.exit(f"{name}: expected records, found none")
    return found


def compare(place, found, expected):
    if sorted(found) != sorted(expected):
        sys.exit(f"{place}: expected {sorted(expected)}, found {sorted(found)}")


clauses = [
    (argument, name, operand.lower())
    for argument, name, directives, operand in records(
        "Clauses.def",
        r'HEDDLE_(\w+)_CLAUSE\(\w+, \d+, "(\w+)", ([\w |]+?)(?:, (\w+)(?:, \d+)?)?\)$')
    if "AsyncDirective" in directives
]
schedules = records("Schedules.def", r'HEDDLE_SCHEDULE\(\w+, (\d+), "(\w+)"\)')
aliases = records("Schedules.def", r'HEDDLE_SCHEDULE_ALIAS\(\w+, "(\w+)"\)')

module = (root / "include/heddle/heddle.f90").read_text()
procedures = ["async"]
for argument, name, _ in clauses:
    procedures += [f"{name}_{k}" for k in (1, 2, 4, 8)] if argument == "CONDITION" else [name]
compare("heddle.f90, procedures", re.findall(r'name="__heddle_mark_(\w+)"', module), procedures)
compare("heddle.f90, public names", re.search(r"public :: (heddle_async.*?\n)\n", module, re.S)
        [1].replace("&", "").replace("heddle_", "").replace(",", " ").split(),
        ["async"] + [name for _, name, _ in clauses])
compare("heddle.f90, schedules",
        re.findall(r"public :: heddle_(\w+) = (\d+)", module),
        [(name, number) for number, name in schedules])
compare("heddle.f90, other names of schedules",
        re.findall(r"public :: heddle_(\w+) = heddle_", module), aliases)

dialect = (root / "passes/mlir/Dialect/HeddleDialect.td").read_text()
attribute = re.search(r"def Heddle_AsyncAttr .*?let parameters = \(ins(.*?)\);", dialect, re.S)[1]
compare("HeddleDialect.td, #heddle.async", re.findall(r":\$(\w+)", attribute),
        [name for argument, name, _ in clauses if argument.startswith(("COUNT", "SCHEDULE"))])
syntax = re.search(r"def Heddle_MarkOp .*?let assemblyFormat = \[\{(.*?)\}\];", dialect, re.S)[1]
compare("HeddleDialect.td, heddle.mark",
        [pair for pair in re.findall(r"\(`(\w+)` `\(` \$(\w+)\^", syntax) if pair[0] != "counts"],
        [(name, "condition" if argument == "CONDITION" else operand)
         for argument, name, operand in clauses
         if argument in ("CONDITION", "VARIABLES", "ARRAYS")])
