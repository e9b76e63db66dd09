//===- EdgeList.h - Edges in no order --------------------------*- C++ -*-===//
//
// The output of readers and generators, and the input of stores.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_EDGELIST_H
#define HEDDLE_GRAPH_DETAIL_EDGELIST_H

#include "heddle/graph/Graph.h"
#include "heddle/graph/detail/Array.h"

namespace heddle::graph {

template <VertexIdentifier VertexId, EdgeWeight Weight = Unweighted>
struct Edge {
  VertexId from, to;
  [[no_unique_address]] Weight weight;

  friend bool operator==(const Edge &, const Edge &) = default;
};

/// Edges among the vertices 0 to vertexCount - 1. Some vertices may have no
/// edges. Self-loops and parallel edges are allowed; whether an edge has a
/// direction is decided when a store is built.
template <VertexIdentifier VertexIdType = std::uint32_t,
          EdgeWeight WeightType = Unweighted>
struct EdgeList {
  using VertexId = VertexIdType;
  using Weight = WeightType;

  VertexId vertexCount = 0;
  Array<Edge<VertexId, Weight>> edges;
};

} // namespace heddle::graph

#endif
