"""check-strategy-rows.py GRAPHS < ROWS: checks what `heddle bench dynamic
--figures strategies --quick --threads 1,2 --json -` prints: that every store
and operation has a row for each of its compilations, for each of the graphs,
which are separated by commas."""

import collections
import itertools
import json
import sys

GRAPHS = set(sys.argv[1].split(","))
STORES = ("cblist", "cblist+w", "cpma", "cpma+w", "set")
OPERATIONS = ("find", "find mixed", "add 1000", "erase 1000", "traverse")
VERSIONS = ("plain", "prefetch", "interleaved", "full")
FIELDS = ["figure", "graph", "threads", "store", "operation", "version", "ns_per_operation",
          "speed", "level"]

seen = collections.defaultdict(list)
for row in json.load(sys.stdin):
    assert list(row) == FIELDS, row
    assert row["figure"] == "strategies" and row["ns_per_operation"] > 0, row
    assert row["speed"] > 0 and (row["version"] != "plain" or row["speed"] == 1), row
    seen[row["graph"]].append(tuple(row[field] for field in FIELDS[2:6]))

assert set(seen) == GRAPHS, set(seen)
for graph, keys in seen.items():
    assert sorted(keys) == sorted(itertools.product((1, 2), STORES, OPERATIONS, VERSIONS)), keys
