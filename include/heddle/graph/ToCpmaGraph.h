//===- ToCpmaGraph.h - From lists and other stores to one set --*- C++ -*-===//

#ifndef HEDDLE_GRAPH_TOCPMAGRAPH_H
#define HEDDLE_GRAPH_TOCPMAGRAPH_H

#include "heddle/graph/Build.h"
#include "heddle/graph/CpmaGraph.h"

#include <string>

namespace heddle::graph {

/// Copies a graph into the store `Store`, a CpmaGraph with the same weights. Of
/// parallel edges the first stays, which in a graph of buildCsr() is the one
/// with the least weight. Runs on the threads of OpenMP, takes time in
/// proportion to vertices and edges, and 8 bytes a vertex beside the result.
/// Throws Error if the edges of a vertex are not sorted by target or there are
/// more vertices than `Store` can have, and std::bad_alloc.
///
///   auto graph = toCpmaGraph<CpmaGraph<>>(csr);
template <Graph Store, Graph Source>
Store toCpmaGraph(const Source &graph, const PmaOptions &options = {}) {
  using VertexId = typename Store::VertexId;
  using SourceId = typename Source::VertexId;
  using Layout = typename Store::Layout;
  static_assert(std::same_as<typename Store::Weight, typename Source::Weight>,
                "the graph has other weights than the store");
  if (graph.vertexCount() > MostVertices<VertexId>)
    throw Error("a graph of " + std::to_string(graph.vertexCount()) +
                " vertices does not fit: expected at most " +
                std::to_string(MostVertices<VertexId>));
  const auto vertices = static_cast<VertexId>(graph.vertexCount());
  auto out = cpmagraph::loadRows<Layout>(
      vertices,
      [&](VertexId vertex) {
        return graph.outEdges(static_cast<SourceId>(vertex));
      },
      options.growingFactor);
  if (!graph.isDirected())
    return Store(std::move(out));
  auto in = cpmagraph::loadRows<Layout>(
      vertices,
      [&](VertexId vertex) {
        return graph.inEdges(static_cast<SourceId>(vertex));
      },
      options.growingFactor);
  return Store(std::move(out), std::move(in));
}

/// Builds a graph from a list of edges. There is at most one edge from a vertex
/// to another, so that of parallel edges the lightest stays whatever the
/// options say. Runs on the threads of OpenMP; the result is the same whatever
/// their number. Throws Error if an end of an edge is not below
/// list.vertexCount, and std::bad_alloc. Takes what buildCsr() takes for one
/// direction beside the result.
///
///   auto graph = buildCpmaGraph(list, {.directed = false});
template <std::size_t LeafBytes = 256, VertexIdentifier VertexId,
          EdgeWeight Weight>
CpmaGraph<VertexId, Weight, LeafBytes>
buildCpmaGraph(const EdgeList<VertexId, Weight> &list,
               const BuildOptions &options = {}, const PmaOptions &array = {}) {
  using detail::RowOrder;
  using Store = CpmaGraph<VertexId, Weight, LeafBytes>;
  detail::checkEdges(list);
  BuildOptions withoutParallel = options;
  withoutParallel.parallelEdges = ParallelEdges::KeepLightest;
  const auto load = [&](RowOrder order) {
    const auto rows =
        detail::RowBuilder<VertexId, Weight>(list, order, withoutParallel)
            .build();
    return cpmagraph::loadRows<typename Store::Layout>(
        list.vertexCount, [&](VertexId vertex) { return rows[vertex]; },
        array.growingFactor);
  };
  if (!options.directed)
    return Store(load(RowOrder::Both));
  auto out = load(RowOrder::Forward);
  return Store(std::move(out), load(RowOrder::Backward));
}

namespace detail {

template <typename Store> struct Loader;

template <VertexIdentifier VertexId, EdgeWeight Weight, std::size_t LeafBytes>
struct Loader<CpmaGraph<VertexId, Weight, LeafBytes>> {
  static CpmaGraph<VertexId, Weight, LeafBytes>
  load(const EdgeList<VertexId, Weight> &list, const BuildOptions &options) {
    return buildCpmaGraph<LeafBytes>(list, options);
  }
};

} // namespace detail

} // namespace heddle::graph

#endif
