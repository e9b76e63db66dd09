"""Checks the rows of `heddle bench programs --json`: fields, forms, checksums."""

import collections
import json
import sys

FIELDS = ["program", "form", "milliseconds", "speed", "first_speed", "checksum", "level"]
FORMS = ["plain", "directive", "by hand"]

rows = json.load(sys.stdin)
forms = collections.defaultdict(list)
checksums = collections.defaultdict(set)
for row in rows:
    assert set(FIELDS) - set(row) <= {"first_speed"} and set(row) <= set(FIELDS), row
    assert ("first_speed" in row) == (row["form"] == "directive"), row
    assert row["milliseconds"] > 0 and row["speed"] > 0, row
    assert row["form"] != "plain" or row["speed"] == 1, row
    forms[row["program"]].append(row["form"])
    checksums[row["program"]].add(row["checksum"])

for program, found in forms.items():
    assert found == FORMS, (program, found)
    assert len(checksums[program]) == 1, program
names = sys.argv[1:]
assert not names or list(forms) == names, list(forms)
print(len(forms), "programs")
