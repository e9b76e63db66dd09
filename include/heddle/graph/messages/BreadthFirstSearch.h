//===- BreadthFirstSearch.h - Breadth-first, by messages -------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_MESSAGES_BREADTHFIRSTSEARCH_H
#define HEDDLE_GRAPH_MESSAGES_BREADTHFIRSTSEARCH_H

#include "heddle/graph/Graph.h"
#include "heddle/graph/algorithms/Source.h"

#include <cstdint>
#include <optional>
#include <utility>

namespace heddle::graph {

struct BreadthFirstByMessagesResult {
  /// The number of vertices reached, including the source.
  std::uint64_t reachedVertices = 0;
  /// The number of edges from the source to the farthest of them.
  unsigned levels = 0;
};

/// Computes the result of breadthFirstSearch() by calls of an engine. The
/// vertex array "parent", of VertexIds, has for each vertex the previous one on
/// a path from `source` with the fewest edges, for the source the source
/// itself, and NoVertex for a vertex that cannot be reached. Throws Error if
/// there is no vertex `source`, and the exceptions of the engine. Most edges
/// lead to vertices that have been reached before. A bit per vertex records
/// that, because the bits fit in a cache and the parents do not.
template <typename Engine>
BreadthFirstByMessagesResult
breadthFirstByMessages(Engine &engine, typename Engine::VertexId source) {
  using VertexId = typename Engine::VertexId;
  checkSource(engine, source);
  auto &parent = engine.template vertexArray<VertexId>("parent");
  auto &reached = engine.template vertexArray<bool>("reached");
  auto &active = engine.template vertexArray<bool>("active");
  engine.processVertices(
      [&](VertexId v) {
        parent[v] = v == source ? source : NoVertex<VertexId>;
        reached[v] = v == source;
        active[v] = v == source;
        return 0;
      },
      {parent, reached, active});
  BreadthFirstByMessagesResult result;
  for (std::uint64_t found = 1; found != 0; ++result.levels) {
    result.reachedVertices += found;
    found = engine.processEdges(
        [&](VertexId v) {
          active[v] = false;
          return std::optional(Unweighted());
        },
        {active},
        [&](Unweighted, VertexId from, VertexId to, auto) -> std::uint64_t {
          if (reached[to])
            return 0;
          reached[to] = true;
          parent[to] = from;
          active[to] = true;
          return 1;
        },
        {parent, reached, active}, &active);
  }
  --result.levels;
  return result;
}

} // namespace heddle::graph

#endif
