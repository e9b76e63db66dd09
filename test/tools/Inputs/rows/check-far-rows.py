"""check-far-rows.py < ROWS: checks what `heddle bench far --json -` prints with
one and two threads, and a called cache for one and four: that every loop has a
row for each contestant, and that all of them have computed the same."""

import collections
import json
import sys

FIELDS = [
    *["loop", "contestant", "threads", "operations", "seconds", "kops_per_s"],
    *["heddle_speed_by_threads", "bytes_read", "bytes_written", "peak_bytes"],
    *["file_bytes", "memory_bytes", "cache_bytes", "checksum", "level"],
]
RANDOM = {"gather", "probe", "lists"}
LOOPS = RANDOM | {"scan", "fill"}
COMMON = {
    *[("heddle", 1), ("heddle", 2), ("mmap", 1), ("by-hand", 1)],
    *[("tricache-scheme", 1), ("tricache-scheme", 4)],
}

contestants = collections.defaultdict(list)
checksums = collections.defaultdict(set)
for row in json.load(sys.stdin):
    assert list(row) == FIELDS, row
    loop = row["loop"]
    contestants[loop].append((row["contestant"], row["threads"]))
    checksums[loop].add((row["checksum"], row["operations"]))
    ratios = row["heddle_speed_by_threads"]
    assert list(ratios) == ["1", "2"] and min(ratios.values()) > 0, row
    if row["contestant"] == "heddle":
        assert ratios[str(row["threads"])] == 1, row
    assert row["seconds"] > 0 and row["operations"] > 0, row
    if row["memory_bytes"]:
        assert 0 < row["peak_bytes"] <= row["memory_bytes"], row

assert set(contestants) == LOOPS, set(contestants)
for loop in LOOPS:
    expected = COMMON | ({("waiting", 1)} if loop in RANDOM else set())
    assert sorted(contestants[loop]) == sorted(expected), (loop, contestants[loop])
    assert len(checksums[loop]) == 1, (loop, checksums[loop])
assert len({checksum for values in checksums.values() for checksum in values}) == len(LOOPS)
