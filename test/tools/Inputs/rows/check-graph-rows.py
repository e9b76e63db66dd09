"""check-graph-rows.py GRAPHS < ROWS: checks what `heddle bench graph --json -`
prints: that every figure has a row for all that it compares, for each of the
graphs, which are separated by commas."""

import collections
import json
import sys

GRAPHS = set(sys.argv[1].split(","))
rows = json.load(sys.stdin)

FIELDS = {
    "packing": ["figure", "graph", "vertices", "edges", "lanes", "packing_efficiency", "level"],
    "scheduling": ["figure", "graph", "threads", "chunk_edges", "version", "ns_per_edge",
                   "speed", "level"],
    "phases": ["figure", "graph", "threads", "lanes", "lane_bits", "phase", "version",
               "ns_per_operation", "speed", "level"],
}
KEYS = {
    "packing": {(lanes,) for lanes in (4, 8, 16)},
    "scheduling": {
        (threads, chunk, version)
        for threads in (1, 2)
        for chunk in (100, 1000)
        for version in ("traditional", "traditional-without-atomics", "heddle")
    },
    "phases": {
        (threads, lanes, bits, phase, version)
        for threads in (1, 2)
        for lanes, bits in ((4, 64), (8, 64), (8, 32), (16, 32))
        for phase in ("edge-pull", "edge-push", "vertex")
        for version in ("scalar", "vector")
    },
}

seen = collections.defaultdict(list)
for row in rows:
    figure = row["figure"]
    assert list(row) == FIELDS[figure], row
    if figure == "packing":
        assert 1 / row["lanes"] <= row["packing_efficiency"] <= 1, row
        key = (row["lanes"],)
    else:
        assert row["speed"] > 0, row
        assert row["version"] not in ("traditional", "scalar") or row["speed"] == 1, row
        key = tuple(row[field] for field in FIELDS[figure][2:-3])
    seen[figure, row["graph"]].append(key)

assert set(seen) == {(figure, graph) for figure in FIELDS for graph in GRAPHS}, set(seen)
for (figure, graph), keys in seen.items():
    assert len(keys) == len(KEYS[figure]), (figure, graph, len(keys))
    assert set(keys) == KEYS[figure], (figure, graph, keys)
