//===- algorithms.h - The graph algorithms of this example ------*- C++ -*-===//
//
// Ordinary OpenMP graph code. The build compiles these files twice, once with
// the heddle directive honoured and once without, into the namespaces
// `annotated` and `plain`; GRAPH_BUILD is the namespace of the build at hand.
// The driver reaches each build through its table.
//
//===----------------------------------------------------------------------===//

#ifndef GRAPH_ALGORITHMS_ALGORITHMS_H
#define GRAPH_ALGORITHMS_ALGORITHMS_H

#include "graph.h"

#include <source_location>

/// Adds the time from here to the end of the scope to the account of the loop
/// that follows.
class LoopTimer {
public:
  explicit LoopTimer(
      std::source_location where = std::source_location::current());
  ~LoopTimer();
  LoopTimer(const LoopTimer &) = delete;
  LoopTimer &operator=(const LoopTimer &) = delete;

private:
  std::source_location where;
  double begin;
};

/// Distance of a vertex that cannot be reached.
constexpr int64_t Unreachable = INT64_MAX;

/// Working memory of single-source shortest paths.
struct ShortestPathLists {
  Frontier near, far, nextFar, changed;
  uint8_t *isChanged, *isFar; // one a vertex, all zero before and after
};

/// One build of all algorithms.
struct Algorithms {
  /// Breadth-first search. Sets the parent of every vertex that can be reached
  /// (the source is its own), and -1 for the others.
  void (*bfs)(const Csr &graph, int32_t source, int32_t *parent,
              Frontier frontier, Frontier next);

  /// Single-source shortest paths over non-negative weights. Vertices are
  /// settled in steps of `delta`.
  void (*shortestPaths)(const Csr &graph, int32_t source, int64_t delta,
                        int64_t *distance, ShortestPathLists lists);

  /// PageRank, until one round changes the ranks by less than `tolerance` in
  /// sum. `in` holds the edges reversed. Returns the number of rounds.
  int (*pageRank)(const Csr &graph, const Csr &in, double tolerance,
                  int maxRounds, double *rank, double *share);

  /// Weakly connected components: labels every vertex with the lowest vertex
  /// of its component.
  void (*components)(const Csr &graph, int32_t *label);

  /// Longest chains of an acyclic graph. Peels off, round by round, the
  /// vertices with no edge left that leads to them; `inDegree` is used up.
  /// Sets the predecessor of each vertex on a longest chain to it (-1 where
  /// one starts) and returns the number of vertices on the longest chain,
  /// whose last vertex is left in `frontier.vertex[0]`.
  int32_t (*longestChain)(const Csr &graph, int32_t *inDegree,
                          int32_t *predecessor, Frontier frontier,
                          Frontier next);
};

#ifdef GRAPH_BUILD
namespace GRAPH_BUILD {
void bfs(const Csr &graph, int32_t source, int32_t *parent, Frontier frontier,
         Frontier next);
void shortestPaths(const Csr &graph, int32_t source, int64_t delta,
                   int64_t *distance, ShortestPathLists lists);
int pageRank(const Csr &graph, const Csr &in, double tolerance, int maxRounds,
             double *rank, double *share);
void components(const Csr &graph, int32_t *label);
int32_t longestChain(const Csr &graph, int32_t *inDegree, int32_t *predecessor,
                     Frontier frontier, Frontier next);
} // namespace GRAPH_BUILD
#endif

namespace plain {
extern const Algorithms algorithms;
}
namespace annotated {
extern const Algorithms algorithms;
}

#endif
