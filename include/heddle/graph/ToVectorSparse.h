//===- ToVectorSparse.h - From any store to edge vectors -------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_TOVECTORSPARSE_H
#define HEDDLE_GRAPH_TOVECTORSPARSE_H

#include "heddle/graph/Error.h"
#include "heddle/graph/VectorSparse.h"
#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/Tasks.h"
#include "heddle/graph/detail/sort/PrefixSum.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle::graph {

namespace detail {

/// Copies one direction of a graph into edge vectors. `degree` and `edges` are
/// called for every vertex.
template <typename Store, typename Degree, typename Edges>
typename Store::Rows toEdgeVectors(std::size_t vertices, Degree degree,
                                   Edges edges) {
  using Layout = typename Store::Layout;
  using Lane = typename Layout::Lane;
  using Weight = typename Store::Weight;
  typename Store::Rows result;
  result.rows = Array<std::uint64_t>(vertices + 1);
  result.padding = Array<std::uint8_t>(vertices);
  std::uint64_t edgeCount = 0;
#pragma omp parallel for reduction(+ : edgeCount)
  for (std::size_t row = 0; row < vertices; ++row) {
    const std::uint64_t edgesOfRow = degree(row);
    const std::uint64_t vectors =
        edgesOfRow / Layout::Lanes + (edgesOfRow % Layout::Lanes != 0);
    result.rows[row] = vectors;
    result.padding[row] =
        static_cast<std::uint8_t>(vectors * Layout::Lanes - edgesOfRow);
    edgeCount += edgesOfRow;
  }
  result.edgeCount = edgeCount;
  result.rows[vertices] = 0;
  const std::uint64_t lanes = exclusivePrefixSum(result.rows) * Layout::Lanes;
  result.lanes = Array<Lane>(lanes);
  if constexpr (IsWeighted<Store>)
    result.weights = Array<Weight>(lanes);

#pragma omp parallel for schedule(dynamic, RowsAtOnce)
  for (std::size_t row = 0; row < vertices; ++row) {
    const Lane vertex = static_cast<Lane>(row);
    std::uint64_t lane = result.rows[row] * Layout::Lanes;
    for (auto [target, weight] : edges(row)) {
      result.lanes[lane] =
          Layout::edge(vertex, lane % Layout::Lanes, static_cast<Lane>(target));
      if constexpr (IsWeighted<Store>)
        result.weights[lane] = weight;
      ++lane;
    }
    HEDDLE_ASSERT(lane + result.padding[row] ==
                  result.rows[row + 1] * Layout::Lanes);
    for (; lane < result.rows[row + 1] * Layout::Lanes; ++lane) {
      result.lanes[lane] = Layout::padding(vertex, lane % Layout::Lanes);
      if constexpr (IsWeighted<Store>)
        result.weights[lane] = 0;
    }
  }
  return result;
}

} // namespace detail

/// Copies a graph into the store `Store`, a VectorSparse with the same weights,
/// with the edges of each vertex in the order that `graph` has them. Runs on
/// the threads of OpenMP, takes time in proportion to vertices and edges, and
/// no memory but the result. Throws Error if there are more vertices than the
/// lanes of `Store` can hold, and std::bad_alloc.
///
///   auto graph = toVectorSparse<VectorSparse<std::uint32_t, 16>>(csr);
template <Graph Store, Graph Source> Store toVectorSparse(const Source &graph) {
  using Layout = typename Store::Layout;
  using SourceId = typename Source::VertexId;
  static_assert(std::same_as<typename Store::Weight, typename Source::Weight>,
                "the graph has other weights than the store");
  const std::uint64_t vertices = graph.vertexCount();
  if (vertices > Layout::MostVertices)
    throw Error("a graph of " + std::to_string(vertices) +
                " vertices does not fit edge vectors of " +
                std::to_string(Layout::Lanes) + " lanes of " +
                std::to_string(Layout::LaneBits) + " bits: expected at most " +
                std::to_string(Layout::MostVertices));

  const auto vertex = [](std::size_t row) {
    return static_cast<SourceId>(row);
  };
  auto out = detail::toEdgeVectors<Store>(
      vertices, [&](std::size_t row) { return graph.outDegree(vertex(row)); },
      [&](std::size_t row) { return graph.outEdges(vertex(row)); });
  if (!graph.isDirected())
    return Store(std::move(out));
  auto in = detail::toEdgeVectors<Store>(
      vertices, [&](std::size_t row) { return graph.inDegree(vertex(row)); },
      [&](std::size_t row) { return graph.inEdges(vertex(row)); });
  return Store(std::move(out), std::move(in));
}

} // namespace heddle::graph

#endif
