//===- ShortestPaths.h - Check distances -----------------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_VERIFY_SHORTESTPATHS_H
#define HEDDLE_GRAPH_VERIFY_SHORTESTPATHS_H

#include "heddle/graph/algorithms/Distance.h"
#include "heddle/graph/verify/Violation.h"

#include <functional>
#include <queue>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace heddle::graph {

namespace detail {

/// Returns the distances from `source`, by Dijkstra's algorithm with a heap. A
/// vertex whose distance does not fit in a Distance counts as unreachable.
template <typename Distance, Graph Store>
std::vector<Distance> dijkstra(const Store &graph,
                               typename Store::VertexId source) {
  using VertexId = typename Store::VertexId;
  constexpr Distance farthest = std::numeric_limits<Distance>::max();
  std::vector<Distance> distance(graph.vertexCount(), Unreachable<Distance>);
  using Entry = std::pair<Distance, VertexId>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap;
  distance[source] = 0;
  heap.push({0, source});
  while (!heap.empty()) {
    const auto [length, vertex] = heap.top();
    heap.pop();
    if (length != distance[vertex])
      continue;
    for (const auto [target, weight] : graph.outEdges(vertex)) {
      const auto added = static_cast<Distance>(weight);
      if (added <= farthest - length && length + added < distance[target]) {
        distance[target] = length + added;
        heap.push({distance[target], target});
      }
    }
  }
  return distance;
}

} // namespace detail

/// Whether `distance` equals the result of Dijkstra's algorithm. The comparison
/// is exact, as all algorithms round the sums along a path alike. Takes the
/// time of a heap with all edges.
///
///   if (auto violation = verifyShortestPaths(graph, 0, distance))
///     std::cerr << *violation << '\n';
template <Graph Store>
  requires IsWeighted<Store>
Violation verifyShortestPaths(
    const Store &graph, typename Store::VertexId source,
    std::type_identity_t<std::span<const DistanceOf<typename Store::Weight>>>
        distance) {
  using Distance = DistanceOf<typename Store::Weight>;
  if (distance.size() != graph.vertexCount())
    return detail::wrongSize(graph.vertexCount(), distance.size());
  return detail::compareValues(
      "distance", detail::dijkstra<Distance>(graph, source), distance);
}

} // namespace heddle::graph

#endif
