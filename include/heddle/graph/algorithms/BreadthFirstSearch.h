//===- BreadthFirstSearch.h - Shortest paths by edges ----------*- C++ -*-===//
//
// S. Beamer, K. Asanovic, D. Patterson: Direction-Optimizing Breadth-First
// Search (SC 2012). While the frontier is small, its vertices look for children
// along their out-edges; while it is large, the vertices that have no parent
// yet look for one along their in-edges and stop at the first.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_ALGORITHMS_BREADTHFIRSTSEARCH_H
#define HEDDLE_GRAPH_ALGORITHMS_BREADTHFIRSTSEARCH_H

#include "heddle/graph/Frontier.h"
#include "heddle/graph/algorithms/Source.h"
#include "heddle/graph/detail/Assert.h"

#include <algorithm>
#include <utility>

namespace heddle::graph {

struct BreadthFirstOptions {
  /// Look for parents once more than 1/alpha of the unexplored edges leave the
  /// frontier, and until it shrinks below 1/beta of the vertices. The defaults
  /// are the paper's, from experiments.
  unsigned alpha = 15;
  unsigned beta = 18;
};

namespace detail {

template <Graph Store> class BreadthFirstSearch {
public:
  using VertexId = typename Store::VertexId;
  using EdgeId = typename Store::EdgeId;

  BreadthFirstSearch(const Store &graph, const BreadthFirstOptions &options)
      : graph(graph), options(options),
        parent(graph.vertexCount(), NoVertex<VertexId>),
        frontier(graph.vertexCount()), next(graph.vertexCount()) {}

  VertexArray<VertexId> from(VertexId source) && {
    HEDDLE_ASSERT(source < graph.vertexCount() && frontier.empty());
    parent[source] = source;
    frontier.insert(source);
    EdgeId unexplored = graph.edgeCount();
    while (!frontier.empty()) {
      EdgeId leaving = frontier.outDegreeSum(graph);
      if (leaving > unexplored / options.alpha) {
        findParentsWhileManyAreFound();
        leaving = frontier.outDegreeSum(graph);
      }
      unexplored -= std::min(unexplored, leaving);
      findChildren(leaving);
    }
    return std::move(parent);
  }

private:
  using Appender = typename Frontier<VertexId>::Appender;

  /// Follows the `edges` edges that leave the frontier. In long graphs most
  /// frontiers are small, and OpenMP would take longer than the search.
  void findChildren(EdgeId edges) {
    next.clearSparse();
    const std::span<const VertexId> vertices = frontier.vertices();
    if (!worthThreads(edges)) {
      Appender found(next);
      for (const VertexId vertex : vertices)
        findChildrenOf(vertex, found);
    } else {
#pragma omp parallel
      {
        Appender found(next);
#pragma omp for schedule(dynamic, 256) nowait
#pragma heddle async
        for (std::size_t i = 0; i < vertices.size(); ++i)
          findChildrenOf(vertices[i], found);
      }
    }
    std::swap(frontier, next);
  }

  void findChildrenOf(VertexId vertex, Appender &found) {
    for (const auto [child, weight] : graph.outEdges(vertex))
      if (loadShared(parent[child]) == NoVertex<VertexId> &&
          claimShared(parent[child], NoVertex<VertexId>, vertex))
        found.append(child);
  }

  void findParentsWhileManyAreFound() {
    frontier.makeDense();
    std::size_t found = frontier.size(), before;
    do {
      before = found;
      found = findParents();
    } while (found >= before || found > graph.vertexCount() / options.beta);
    frontier.makeSparse();
  }

  /// Finds parents for vertices that have none. Returns the number of vertices
  /// that have found one.
  std::size_t findParents() {
    next.clearDense();
    Bitmap &fresh = next.bitmap();
    const Bitmap &candidates = frontier.bitmap();
    // With a reference of its own, the loop can load the members of the graph
    // before it starts.
    const Store &graph = this->graph;
    const VertexId vertices = graph.vertexCount();
    std::size_t found = 0;
    // Chunks of whole words of the bitmap.
#pragma omp parallel for schedule(dynamic, 64 * Bitmap::WordBits)              \
    reduction(+ : found)
    for (VertexId v = 0; v < vertices; ++v)
      if (parent[v] == NoVertex<VertexId>)
        for (const auto [candidate, weight] : graph.inEdges(v))
          if (candidates.test(candidate)) {
            parent[v] = candidate;
            fresh.set(v);
            ++found;
            break;
          }
    std::swap(frontier, next);
    HEDDLE_ASSERT(frontier.size() == found);
    return found;
  }

  const Store &graph;
  const BreadthFirstOptions &options;
  VertexArray<VertexId> parent;
  Frontier<VertexId> frontier, next;
};

} // namespace detail

/// For every vertex its parent on a path from `source` with the fewest edges;
/// if there are several such paths, on any of them. The parent of the source is
/// the source itself; the parent of a vertex that cannot be reached is
/// NoVertex. Runs on the threads of OpenMP. Takes time in proportion to the
/// vertices and edges, less on graphs of small diameter, and memory for two
/// identifiers a vertex in addition to the result. Throws Error if there is no
/// vertex `source`, and std::bad_alloc.
///
///   auto parent = breadthFirstSearch(graph, 0);
template <Graph Store>
VertexArray<typename Store::VertexId>
breadthFirstSearch(const Store &graph, typename Store::VertexId source,
                   const BreadthFirstOptions &options = {}) {
  checkSource(graph, source);
  return detail::BreadthFirstSearch<Store>(graph, options).from(source);
}

} // namespace heddle::graph

#endif
