"""nested-edges.py FILE: writes edges as pairs of numbers of 32 bits, which an
external sort that cuts the range of keys into 64 parts partitions four times: most
of them are in the first part each time, and many in each of the others.
"""

import array
import sys


def spread(edges, values):
    return array.array("I", (i * values // edges for i in range(edges)))


def write_edges(file, edges, sources, targets):
    pairs = array.array("I", bytes(8 * edges))
    pairs[0::2] = spread(edges, sources)
    pairs[1::2] = spread(edges, targets)
    pairs.tofile(file)


with open(sys.argv[1], "wb") as file:
    for sources in (1 << 18, 1 << 12, 1 << 6, 1):
        write_edges(file, 1 << 20, sources, 1 << 16)
    write_edges(file, 1 << 19, 1, 1 << 10)
