//===- TriangleCount.h - Check the number of triangles ---------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_VERIFY_TRIANGLECOUNT_H
#define HEDDLE_GRAPH_VERIFY_TRIANGLECOUNT_H

#include "heddle/graph/Graph.h"
#include "heddle/graph/verify/Violation.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <tuple>
#include <vector>

namespace heddle::graph {

/// Whether an undirected graph has this many triangles. Counts, for each edge,
/// the common neighbours of its ends that come after both in the order of
/// degrees. Takes memory for a copy of the edges.
///
///   if (auto violation = verifyTriangleCount(graph, triangles))
///     std::cerr << *violation << '\n';
template <Graph Store>
Violation verifyTriangleCount(const Store &graph, std::uint64_t triangles) {
  using VertexId = typename Store::VertexId;
  const auto precedes = [&](VertexId a, VertexId b) {
    return std::tuple(graph.outDegree(a), a) <
           std::tuple(graph.outDegree(b), b);
  };
  std::vector<std::vector<VertexId>> after(graph.vertexCount());
  for (VertexId v = 0; v < graph.vertexCount(); ++v) {
    for (const auto [target, weight] : graph.outEdges(v))
      if (precedes(v, target))
        after[v].push_back(target);
    std::ranges::sort(after[v]);
    const auto repeated = std::ranges::unique(after[v]);
    after[v].erase(repeated.begin(), repeated.end());
  }

  std::uint64_t expected = 0;
  std::vector<VertexId> common;
  for (const std::vector<VertexId> &first : after)
    for (const VertexId v : first) {
      common.clear();
      std::ranges::set_intersection(first, after[v],
                                    std::back_inserter(common));
      expected += common.size();
    }
  if (triangles != expected)
    return "expected " + std::to_string(expected) + " triangles, found " +
           std::to_string(triangles);
  return {};
}

} // namespace heddle::graph

#endif
