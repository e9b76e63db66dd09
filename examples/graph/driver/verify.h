//===- verify.h - Independent solutions to check against --------*- C++ -*-===//
//
// Serial textbook solutions that share nothing with the algorithms but the
// graph.
//
//===----------------------------------------------------------------------===//

#ifndef GRAPH_DRIVER_VERIFY_H
#define GRAPH_DRIVER_VERIFY_H

#include "../input/input.h"

#include <optional>
#include <string>
#include <vector>

/// What is wrong with a result, and at which vertex.
struct Fault {
  int32_t vertex;
  std::string what;
};

/// No fault, or the first one found.
using Verdict = std::optional<Fault>;

/// Number of edges from `source` to each vertex, or -1: one queue.
std::vector<int32_t> depths(const Csr &graph, int32_t source);
/// Every parent must be one level up, over an edge that exists.
Verdict checkParents(const Csr &graph, int32_t source,
                     const std::vector<int32_t> &depth, const int32_t *parent);

/// Shortest distances by Dijkstra's algorithm with a heap.
std::vector<int64_t> dijkstra(const Csr &graph, int32_t source);
Verdict checkDistances(const std::vector<int64_t> &expected,
                       const int64_t *distance);

/// One step of power iteration, pushing along the edges, must leave the ranks
/// as they are, up to `tolerance` in sum.
Verdict checkRanks(const Csr &graph, const double *rank, double tolerance);

/// The lowest vertex of each weakly connected component: serial union-find.
std::vector<int32_t> lowestConnected(const Csr &graph);
Verdict checkLabels(const std::vector<int32_t> &expected, const int32_t *label);

/// Number of groups (strongly connected components; for an undirected graph,
/// of vertices with edges from lower to higher) on the longest chain: Tarjan's
/// algorithm on the original graph, longest path in the order that it finds.
int32_t longestChainLength(const Graph &graph);
/// The chain must be as long as expected, each link an edge of `acyclic`.
Verdict checkChain(const Csr &acyclic, int32_t expected, int32_t length,
                   int32_t last, const int32_t *predecessor);

#endif
