"""compare-ranks.py EXPECTED ACTUAL: fails unless both files have the same
vertices, with the same ranks but for rounding: EXPECTED has single precision."""

import sys


def ranks(name):
    with open(name) as lines:
        return [(int(vertex), float(rank)) for vertex, rank in map(str.split, lines)]


expected, actual = map(ranks, sys.argv[1:])
if not expected or len(expected) != len(actual):
    sys.exit(f"expected {len(expected)} vertices, found {len(actual)}")
for (vertex, rank), (other, found) in zip(expected, actual):
    if vertex != other or abs(rank - found) > 1e-4 * rank:
        sys.exit(f"vertex {vertex}: expected {rank}, found {found} of vertex {other}")
