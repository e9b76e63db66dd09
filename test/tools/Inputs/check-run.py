"""check-run.py HEDDLE GRAPH [OPTION...]: runs every algorithm on all graph
stores with the options, verified, and checks that what it says does not depend
on the store, on the width of lanes or on the number of threads."""

import json
import subprocess
import sys

heddle, graph, *options = sys.argv[1:]

# Facts that may differ from run to run, beside times: which right answer, sums
# of floats.
VARYING = {"store", "lanes", "threads", "seconds", "change", "highest_value"}
ALGORITHMS = {
    "betweenness": ["--source", "0,3"],
    "bfs": ["--source", "0"],
    "components": [],
    "cores": [],
    "labels": ["--iterations", "4"],
    "pagerank": ["--tolerance", "0", "--iterations", "5"],
    "sssp": ["--weights", "random", "--seed", "7"],
    "triangles": [],
}
STORES = [["csr"], ["cblist"], ["cpma"]] + [
    ["vectorsparse", "--lanes", lanes] for lanes in ("8x32", "16x32", "4x64", "8x64")
]

for algorithm, own in ALGORITHMS.items():
    expected = None
    for store in STORES:
        for threads in "1", "2":
            command = [heddle, "run", algorithm, graph, *options, *own]
            command += ["--store", *store, "--threads", threads, "--verify"]
            result = subprocess.run(
                command + ["--json", "-"], stdout=subprocess.PIPE, check=True
            ).stdout
            facts = json.loads(result)
            assert facts["algorithm"] == algorithm, facts
            assert facts["verified"] is True, facts
            assert facts["store"] == store[0], facts
            assert facts.get("lanes") == (store[2] if len(store) > 1 else None), facts
            assert facts["threads"] == int(threads), facts
            assert facts["seconds"] > 0, facts
            fixed = {key: value for key, value in facts.items() if key not in VARYING}
            expected = expected or fixed
            assert fixed == expected, (fixed, expected)
    print(algorithm, expected)
