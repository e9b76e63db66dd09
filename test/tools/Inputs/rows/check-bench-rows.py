"""Checks the rows of `heddle bench kernels --json`: fields, types, versions."""

import collections
import json
import sys

FIELDS = ["kernel", "version", "bytes", "pages", "threads", "ns_per_op", "speed",
          "checksum", "level"]
PLAIN = {"serial", "heddle"}
ALL = PLAIN | {"coroutines", "fifo", "phasequeue"}
KERNELS = {
    "gups": ALL,
    "binary-search": ALL,
    "bfs": ALL,
    "stream": PLAIN,
    "hash-join": ALL,
    "hash-join-4": ALL,
    "mcf": ALL,
    "lbm": PLAIN,
    "is": ALL,
    "linked-list": ALL,
    "bptree": ALL,
}

with open(sys.argv[1]) as file:
    rows = json.load(file)

versions = collections.defaultdict(set)
checksums = collections.defaultdict(set)
for row in rows:
    assert list(row) == FIELDS, row
    assert row["pages"] in ("4k", "huge"), row
    assert isinstance(row["bytes"], int) and row["bytes"] > 0, row
    assert isinstance(row["threads"], int) and row["threads"] > 0, row
    assert row["ns_per_op"] > 0, row
    assert row["speed"] > 0, row
    assert row["version"] != "serial" or row["speed"] == 1, row
    cell = row["kernel"], row["bytes"], row["pages"], row["threads"]
    assert row["version"] not in versions[cell], f"twice: {row}"
    versions[cell].add(row["version"])
    # Neither pages nor threads change what is computed.
    checksums[row["kernel"], row["bytes"]].add(row["checksum"])

assert {cell[0] for cell in versions} == set(KERNELS), versions.keys()
for cell, found in versions.items():
    assert found == KERNELS[cell[0]], (cell, found)
for data, found in checksums.items():
    assert len(found) == 1 and len(next(iter(found))) == 16, (data, found)
