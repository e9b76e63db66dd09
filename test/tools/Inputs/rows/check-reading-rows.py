"""check-reading-rows.py GRAPHS < ROWS: checks what `heddle bench dynamic
--figures reading --quick --threads 1,2 --json -` prints: that every algorithm
has a row for each store, after loading, after updates and after compact(), for
each of the graphs, which are separated by commas."""

import collections
import itertools
import json
import sys

GRAPHS = set(sys.argv[1].split(","))
STATES = ("loaded", "churned", "compacted")
STORES = ("csr", "cblist", "cpma")
FIELDS = ["figure", "graph", "threads", "operation", "state", "store", "ratio", "level"]
EXPECTED = list(itertools.product((0,), ("bytes", "bytes+w"), STATES, STORES)) + list(
    itertools.product((1, 2), ("pagerank", "bfs", "components", "sssp"), STATES, STORES)
)

seen = collections.defaultdict(list)
for row in json.load(sys.stdin):
    assert list(row) == FIELDS, row
    assert row["figure"] == "reading" and row["ratio"] > 0, row
    assert row["store"] != "csr" or row["ratio"] == 1, row
    seen[row["graph"]].append(tuple(row[field] for field in FIELDS[2:6]))

assert set(seen) == GRAPHS, set(seen)
for graph, keys in seen.items():
    assert sorted(keys) == sorted(EXPECTED), keys
