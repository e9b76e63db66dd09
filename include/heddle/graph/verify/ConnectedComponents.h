//===- ConnectedComponents.h - Check components ----------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_VERIFY_CONNECTEDCOMPONENTS_H
#define HEDDLE_GRAPH_VERIFY_CONNECTEDCOMPONENTS_H

#include "heddle/graph/Graph.h"
#include "heddle/graph/verify/Violation.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace heddle::graph {

/// Whether `component` has for every vertex the lowest vertex of its component,
/// as computed by union-find. Takes time in proportion to the vertices and
/// edges.
///
///   if (auto violation = verifyConnectedComponents(graph, component))
///     std::cerr << *violation << '\n';
template <Graph Store>
Violation verifyConnectedComponents(
    const Store &graph,
    std::type_identity_t<std::span<const typename Store::VertexId>> component) {
  using VertexId = typename Store::VertexId;
  if (component.size() != graph.vertexCount())
    return detail::wrongSize(graph.vertexCount(), component.size());

  std::vector<VertexId> above(graph.vertexCount());
  std::iota(above.begin(), above.end(), VertexId(0));
  const auto find = [&](VertexId vertex) {
    while (above[vertex] != vertex)
      vertex = above[vertex] = above[above[vertex]];
    return vertex;
  };
  for (VertexId v = 0; v < graph.vertexCount(); ++v)
    for (const auto [target, weight] : graph.outEdges(v)) {
      const auto [low, high] = std::minmax({find(v), find(target)});
      above[high] = low;
    }

  for (VertexId &vertex : above)
    vertex = find(vertex);
  return detail::compareValues("component", above, component);
}

} // namespace heddle::graph

#endif
