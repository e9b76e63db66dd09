# Checks the rows of `heddle-graph --json`.

import json
import sys

rows = json.load(open(sys.argv[1]))
total = [row["algorithm"] for row in rows if row["loop"] == "total"]
assert total == ["bfs", "sssp", "pagerank", "components", "chain"], total
loops = {(row["algorithm"], row["loop"]) for row in rows}
for loop in [("bfs", "expand"), ("sssp", "relax"), ("components", "compress")]:
    assert loop in loops, loop
for row in rows:
    assert row["graph"] == "uniform 8", row
    assert row["threads"] == 2 and row["pages"] == "4k", row
    assert row["seconds_without"] > 0 and row["seconds_with"] > 0, row
    ratio = row["seconds_without"] / row["seconds_with"]
    assert abs(row["ratio"] / ratio - 1) < 0.05, row
    assert row["loop"] == "total" or row["compiler"], row
