//===- ToCsr.h - From edge lists and stores to Csr -------------*- C++ -*-===//
//
// buildCsr() builds a graph from an edge list, toCsr() copies one from any
// other store.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_TOCSR_H
#define HEDDLE_GRAPH_TOCSR_H

#include "heddle/graph/Csr.h"
#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/Build.h" // buildCsr(), BuildOptions
#include "heddle/graph/detail/Tasks.h"
#include "heddle/graph/detail/sort/PrefixSum.h"

#include <cstddef>
#include <cstdint>

namespace heddle::graph {

namespace detail {

/// Copies one direction of a graph. `degree` and `edges` are called for every
/// vertex.
template <VertexIdentifier VertexId, EdgeWeight Weight, typename Degree,
          typename Edges>
CsrRows<VertexId, Weight> toCsrRows(std::size_t vertices, Degree degree,
                                    Edges edges) {
  CsrRows<VertexId, Weight> result;
  result.offsets = Array<std::uint64_t>(vertices + 1);
  result.offsets[vertices] = 0;
#pragma omp parallel for
  for (std::size_t row = 0; row < vertices; ++row)
    result.offsets[row] = degree(static_cast<VertexId>(row));
  const std::uint64_t edgeCount = exclusivePrefixSum(result.offsets);
  result.targets = Array<VertexId>(edgeCount);
  if constexpr (!std::same_as<Weight, Unweighted>)
    result.weights = Array<Weight>(edgeCount);

#pragma omp parallel for schedule(dynamic, RowsAtOnce)
  for (std::size_t row = 0; row < vertices; ++row) {
    std::uint64_t place = result.offsets[row];
    for (auto [target, weight] : edges(static_cast<VertexId>(row))) {
      result.targets[place] = target;
      if constexpr (!std::same_as<Weight, Unweighted>)
        result.weights[place] = weight;
      ++place;
    }
    HEDDLE_ASSERT(place == result.offsets[row + 1]);
  }
  return result;
}

} // namespace detail

/// Copies a graph into compressed sparse rows, with the edges of each vertex in
/// the order that `graph` has them. Runs on the threads of OpenMP, takes time
/// in proportion to vertices and edges, and no memory but the result. Throws
/// std::bad_alloc.
///
///   auto csr = toCsr(vectorSparse);
template <Graph Source>
Csr<typename Source::VertexId, typename Source::Weight>
toCsr(const Source &graph) {
  using VertexId = typename Source::VertexId;
  using Weight = typename Source::Weight;
  const std::size_t vertices = graph.vertexCount();
  auto out = detail::toCsrRows<VertexId, Weight>(
      vertices, [&](VertexId vertex) { return graph.outDegree(vertex); },
      [&](VertexId vertex) { return graph.outEdges(vertex); });
  if (!graph.isDirected())
    return Csr<VertexId, Weight>(std::move(out));
  auto in = detail::toCsrRows<VertexId, Weight>(
      vertices, [&](VertexId vertex) { return graph.inDegree(vertex); },
      [&](VertexId vertex) { return graph.inEdges(vertex); });
  return Csr<VertexId, Weight>(std::move(out), std::move(in));
}

} // namespace heddle::graph

#endif
