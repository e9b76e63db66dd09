"""check-ooc-rows.py GRAPH LONG-GRAPH < ROWS: checks what `heddle bench ooc --json -`
prints with limits of 256M and 1G: that every figure has its rows, on graphs of
these names."""

import json
import sys

GRAPH, LONG = sys.argv[1:]
LIMITS = (256 << 20, 1 << 30)
FIELDS = {
    "algorithms": [
        *["figure", "graph", "vertices", "edges", "algorithm", "memory_bytes"],
        *["beyond_memory", "vertex_bytes", "graph_bytes", "bytes_per_edge"],
        *["pair_bytes_per_edge", "seconds", "bytes_read", "predicted_bytes_read"],
        *["bytes_written", "predicted_bytes_written", "peak_bytes", "equals_in_memory"],
    ],
    "batching": [
        *["figure", "graph", "memory_bytes", "version", "seconds", "cut_off"],
        *["bytes_read", "bytes_written", "peak_bytes", "batches_speed"],
    ],
    "long-paths": [
        *["figure", "graph", "memory_bytes", "version", "steps", "seconds"],
        *["bytes_read", "bytes_written", "groups_speed"],
    ],
}
KEYS = {
    "algorithms": [
        (GRAPH, algorithm, limit)
        for algorithm in ("pagerank", "bfs", "components", "sssp")
        for limit in LIMITS
    ],
    "batching": [
        (GRAPH, version, limit) for limit in LIMITS for version in ("batches", "without")
    ],
    "long-paths": [(LONG, version, LIMITS[-1]) for version in ("groups", "scan")],
}

seen = {figure: [] for figure in FIELDS}
for row in json.load(sys.stdin):
    figure = row["figure"]
    assert list(row) == FIELDS[figure], row
    name = row["algorithm"] if figure == "algorithms" else row["version"]
    seen[figure].append((row["graph"], name, row["memory_bytes"]))
    assert row["seconds"] > 0, row
    if figure == "algorithms":
        assert row["equals_in_memory"] is True, row
        assert 0 <= row["peak_bytes"] <= row["memory_bytes"], row
        assert row["bytes_read"] > 0 and row["predicted_bytes_read"] > 0, row
        assert row["bytes_per_edge"] == float(f"{row['graph_bytes'] / row['edges']:.6g}"), row
    elif figure == "batching":
        assert row["version"] == "without" or row["batches_speed"] == 1, row
    else:
        assert row["version"] == "scan" or row["groups_speed"] == 1, row
        assert row["steps"] == seen.setdefault("steps", row["steps"]) > 1, row
del seen["steps"]
assert seen == KEYS, seen
