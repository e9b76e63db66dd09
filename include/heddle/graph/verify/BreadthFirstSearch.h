//===- BreadthFirstSearch.h - Check a breadth-first tree -------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_VERIFY_BREADTHFIRSTSEARCH_H
#define HEDDLE_GRAPH_VERIFY_BREADTHFIRSTSEARCH_H

#include "heddle/graph/Graph.h"
#include "heddle/graph/verify/Violation.h"

#include <algorithm>
#include <cstdint>
#include <queue>
#include <span>
#include <type_traits>
#include <vector>

namespace heddle::graph {

namespace detail {

/// The depths of all vertices, by a plain queue; -1 if no path leads to a
/// vertex.
template <Graph Store>
std::vector<std::int64_t> depthsFrom(const Store &graph,
                                     typename Store::VertexId source) {
  std::vector<std::int64_t> depth(graph.vertexCount(), -1);
  std::queue<typename Store::VertexId> queue;
  depth[source] = 0;
  queue.push(source);
  for (; !queue.empty(); queue.pop())
    for (const auto [target, weight] : graph.outEdges(queue.front()))
      if (depth[target] < 0) {
        depth[target] = depth[queue.front()] + 1;
        queue.push(target);
      }
  return depth;
}

} // namespace detail

/// Whether `parent` is a tree of shortest paths from `source` for all vertices
/// that can be reached, and NoVertex for all others. Takes time in proportion
/// to the vertices and edges.
///
///   if (auto violation = verifyBreadthFirstSearch(graph, 0, parent))
///     std::cerr << *violation << '\n';
template <Graph Store>
Violation verifyBreadthFirstSearch(
    const Store &graph, typename Store::VertexId source,
    std::type_identity_t<std::span<const typename Store::VertexId>> parent) {
  using VertexId = typename Store::VertexId;
  if (parent.size() != graph.vertexCount())
    return detail::wrongSize(graph.vertexCount(), parent.size());
  const auto depth = detail::depthsFrom(graph, source);
  for (VertexId v = 0; v < graph.vertexCount(); ++v) {
    const VertexId found = parent[v];
    if (v == source) {
      if (found != source)
        return detail::wrongValue(v, "parent", source, found);
      continue;
    }
    if (depth[v] < 0) {
      if (found != NoVertex<VertexId>)
        return detail::wrongValue(v, "no parent but", NoVertex<VertexId>,
                                  found);
      continue;
    }
    const auto edges = graph.inEdges(v);
    if (std::none_of(edges.begin(), edges.end(),
                     [&](const auto &edge) { return edge.target == found; }))
      return detail::wrongValue(v, "as parent", "one that has an edge to it",
                                found);
    if (depth[found] + 1 != depth[v])
      return detail::wrongValue(v, "a parent of depth", depth[v] - 1,
                                depth[found]);
  }
  return {};
}

} // namespace heddle::graph

#endif
