//===- CoreNumbers.h - Density around each vertex --------------*- C++ -*-===//
//
// S. B. Seidman: Network structure and minimum degree (1983), by peeling in
// parallel (N. S. Dasari, D. Ranjan, M. Zubair: ParK, 2014): all vertices with
// the least degree are removed at once, then the vertices whose degree has
// fallen to that, until none is left.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_ALGORITHMS_CORENUMBERS_H
#define HEDDLE_GRAPH_ALGORITHMS_CORENUMBERS_H

#include "heddle/graph/Error.h"
#include "heddle/graph/Frontier.h"
#include "heddle/graph/Graph.h"
#include "heddle/graph/detail/Assert.h"

#include <algorithm>
#include <utility>

namespace heddle::graph {

namespace detail {

template <Graph Store> class Peeling {
public:
  using VertexId = typename Store::VertexId;
  using EdgeId = typename Store::EdgeId;

  explicit Peeling(const Store &graph)
      : graph(graph), vertices(graph.vertexCount()), degree(vertices),
        frontier(vertices), next(vertices), left(vertices), leftNext(vertices) {
  }

  VertexArray<EdgeId> run() && {
    countDegrees();
    for (EdgeId core = 0; !left.empty(); core = leastDegreeAbove(core)) {
      takeFrom(core);
      HEDDLE_ASSERT(core == 0 || core > graph.edgeCount() || !frontier.empty());
      while (!frontier.empty())
        peel(core);
    }
    return std::move(degree);
  }

private:
  void countDegrees() {
#pragma omp parallel
    {
      typename Frontier<VertexId>::Appender all(left);
#pragma omp for schedule(dynamic, 1024)
      for (VertexId v = 0; v < vertices; ++v) {
        EdgeId count = 0;
        for (const auto [target, weight] : graph.outEdges(v))
          count += target != v;
        degree[v] = count;
        all.append(v);
      }
    }
  }

  /// The least degree of vertices that have not been peeled, or more than any
  /// vertex has.
  EdgeId leastDegreeAbove(EdgeId core) const {
    const std::span<const VertexId> members = left.vertices();
    EdgeId least = graph.edgeCount() + 1;
#pragma omp parallel for reduction(                                            \
        min : least) if (worthThreads(members.size()))
#pragma heddle async
    for (std::size_t i = 0; i < members.size(); ++i)
      if (degree[members[i]] > core)
        least = std::min(least, degree[members[i]]);
    return least;
  }

  /// Moves the vertices whose degree is `core` from the remaining ones to the
  /// frontier, and drops those that have been peeled.
  void takeFrom(EdgeId core) {
    frontier.clearSparse();
    leftNext.clearSparse();
    const std::span<const VertexId> members = left.vertices();
#pragma omp parallel if (worthThreads(members.size()))
    {
      typename Frontier<VertexId>::Appender taken(frontier), kept(leftNext);
#pragma omp for nowait
      for (std::size_t i = 0; i < members.size(); ++i)
        if (degree[members[i]] == core)
          taken.append(members[i]);
        else if (degree[members[i]] > core)
          kept.append(members[i]);
    }
    HEDDLE_ASSERT(frontier.size() + leftNext.size() <= left.size());
    std::swap(left, leftNext);
  }

  /// Removes the frontier from the graph. The degrees of removed vertices do
  /// not change any more, and are their core numbers.
  void peel(EdgeId core) {
    next.clearSparse();
    const std::span<const VertexId> members = frontier.vertices();
#pragma omp parallel if (worthThreads(members.size() * core))
    {
      typename Frontier<VertexId>::Appender found(next);
#pragma omp for schedule(dynamic, 256) nowait
#pragma heddle async
      for (std::size_t i = 0; i < members.size(); ++i)
        for (const auto [target, weight] : graph.outEdges(members[i])) {
          EdgeId before = loadShared(degree[target]);
          while (before > core &&
                 !claimShared(degree[target], before, before - 1))
            before = loadShared(degree[target]);
          if (before == core + 1)
            found.append(target);
        }
    }
    std::swap(frontier, next);
  }

  const Store &graph;
  const VertexId vertices;
  VertexArray<EdgeId> degree;
  Frontier<VertexId> frontier, next, left, leftNext;
};

} // namespace detail

/// For every vertex its core number: the highest k for which it belongs to a
/// subgraph in which every vertex has at least k edges. The graph must be
/// undirected. Self-loops do not count; each parallel edge counts. Runs on the
/// threads of OpenMP; the result does not depend on their number. Takes time in
/// proportion to the vertices and edges, and memory for four identifiers per
/// vertex in addition to the result. Throws Error if the graph is directed, and
/// std::bad_alloc.
///
///   auto core = coreNumbers(graph);
template <Graph Store>
VertexArray<typename Store::EdgeId> coreNumbers(const Store &graph) {
  if (graph.isDirected())
    throw Error("core numbers: expected an undirected graph");
  return detail::Peeling<Store>(graph).run();
}

} // namespace heddle::graph

#endif
