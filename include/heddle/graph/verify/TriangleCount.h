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

namespace detail {

/// Counts the items that it is given.
struct CountingOutput {
  using difference_type = std::ptrdiff_t;
  std::uint64_t *count;

  CountingOutput &operator*() { return *this; }
  CountingOutput &operator++() { return *this; }
  CountingOutput operator++(int) { return *this; }
  template <typename Value> CountingOutput &operator=(const Value &) {
    ++*count;
    return *this;
  }
};

} // namespace detail

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
    std::sort(after[v].begin(), after[v].end());
    after[v].erase(std::unique(after[v].begin(), after[v].end()),
                   after[v].end());
  }

  std::uint64_t expected = 0;
  for (const std::vector<VertexId> &first : after)
    for (const VertexId v : first)
      std::set_intersection(first.begin(), first.end(), after[v].begin(),
                            after[v].end(), detail::CountingOutput{&expected});
  if (triangles != expected)
    return "expected " + std::to_string(expected) + " triangles, found " +
           std::to_string(triangles);
  return {};
}

} // namespace heddle::graph

#endif
