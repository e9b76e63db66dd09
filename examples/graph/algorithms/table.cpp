//===- table.cpp - This build's algorithms, as one object -----------------===//

#include "algorithms.h"

const Algorithms GRAPH_BUILD::algorithms = {bfs, shortestPaths, pageRank,
                                            components, longestChain};
