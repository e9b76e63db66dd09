//===- CoreNumbers.h - Check core numbers ----------------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_VERIFY_CORENUMBERS_H
#define HEDDLE_GRAPH_VERIFY_CORENUMBERS_H

#include "heddle/graph/Graph.h"
#include "heddle/graph/verify/Violation.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace heddle::graph {

/// Whether `core` is the result of deleting vertices one by one, always one of
/// least degree. Takes time and memory in proportion to the vertices and edges.
///
///   if (auto violation = verifyCoreNumbers(graph, core))
///     std::cerr << *violation << '\n';
template <Graph Store>
Violation verifyCoreNumbers(const Store &graph,
                            std::span<const std::uint64_t> core) {
  using VertexId = typename Store::VertexId;
  if (core.size() != graph.vertexCount())
    return detail::wrongSize(graph.vertexCount(), core.size());

  // A vertex is in the list of each degree that it has had; only the last of
  // these counts.
  std::vector<std::uint64_t> degree(graph.vertexCount(), 0);
  std::vector<std::vector<VertexId>> ofDegree(1);
  const auto file = [&](VertexId vertex) {
    if (ofDegree.size() <= degree[vertex])
      ofDegree.resize(degree[vertex] + 1);
    ofDegree[degree[vertex]].push_back(vertex);
  };
  for (VertexId v = 0; v < graph.vertexCount(); ++v) {
    for (const auto [target, weight] : graph.outEdges(v))
      degree[v] += target != v;
    file(v);
  }

  std::vector<bool> deleted(graph.vertexCount(), false);
  std::uint64_t highest = 0;
  for (std::size_t least = 0; least < ofDegree.size();) {
    if (ofDegree[least].empty()) {
      ++least;
      continue;
    }
    const VertexId v = ofDegree[least].back();
    ofDegree[least].pop_back();
    if (deleted[v] || degree[v] != least)
      continue;
    highest = std::max<std::uint64_t>(highest, least);
    if (core[v] != highest)
      return detail::wrongValue(v, "core number", highest, core[v]);
    deleted[v] = true;
    for (const auto [target, weight] : graph.outEdges(v))
      if (!deleted[target]) {
        --degree[target];
        file(target);
        least = std::min<std::size_t>(least, degree[target]);
      }
  }
  return {};
}

} // namespace heddle::graph

#endif
