//===- acyclic.h - The acyclic graph behind a graph -------------*- C++ -*-===//

#ifndef GRAPH_INPUT_ACYCLIC_H
#define GRAPH_INPUT_ACYCLIC_H

#include "input.h"

/// An acyclic graph over the groups of vertices that lie on common cycles.
/// Edges lead from lower to higher groups.
struct AcyclicGraph {
  heddle::graph::Csr<uint32_t> rows;
  std::vector<int32_t> group; // of each vertex

  Csr out() const { return viewOf(rows.outRows()); }
};

/// Merges the vertices of each cycle into one (a strongly connected component).
/// Undirected graphs are made acyclic by keeping each edge from its lower to
/// its higher end only.
AcyclicGraph makeAcyclic(const Graph &graph);

/// Number of vertices on the longest chain.
int32_t longestChainLength(const Csr &acyclic);

/// The chain that ends in `last` must be as long as expected, and each of its
/// links an edge.
Verdict checkChain(const Csr &acyclic, int32_t expected, int32_t length,
                   int32_t last, const int32_t *predecessor);

#endif
