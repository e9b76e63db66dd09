//===- FlatGraph.h - Graphs as lists of edges that compare -----*- C++ -*-===//

#ifndef HEDDLE_TEST_GRAPHLIB_SUPPORT_FLATGRAPH_H
#define HEDDLE_TEST_GRAPHLIB_SUPPORT_FLATGRAPH_H

#include "heddle/graph/Graph.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <tuple>
#include <vector>

namespace heddle::test {

/// From, to, weight (0 without weights).
using FlatEdge = std::tuple<std::uint64_t, std::uint64_t, double>;
using FlatEdges = std::vector<FlatEdge>;

template <graph::EdgeWeight Weight> double number(Weight weight) {
  if constexpr (std::same_as<Weight, graph::Unweighted>)
    return 0;
  else
    return static_cast<double>(weight);
}

/// Returns all edges of a graph that its ranges contain, and compares them with
/// its degrees.
template <graph::Graph Store>
FlatEdges flatten(const Store &graph, bool reversed = false) {
  FlatEdges result;
  for (typename Store::VertexId v = 0; v < graph.vertexCount(); ++v) {
    const auto edges = reversed ? graph.inEdges(v) : graph.outEdges(v);
    EXPECT_EQ(edges.size(), reversed ? graph.inDegree(v) : graph.outDegree(v));
    EXPECT_EQ(edges.empty(), edges.size() == 0);
    for (auto [target, weight] : edges)
      result.emplace_back(v, target, number(weight));
  }
  return result;
}

/// All properties of a graph.
struct FlatGraph {
  std::uint64_t vertices;
  bool directed;
  FlatEdges out, in;

  template <typename Store>
  explicit FlatGraph(const Store &graph)
      : vertices(graph.vertexCount()), directed(graph.isDirected()),
        out(flatten(graph)), in(flatten(graph, true)) {}
  friend bool operator==(const FlatGraph &, const FlatGraph &) = default;
};

} // namespace heddle::test

#endif
