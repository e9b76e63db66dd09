//===- StoreRows.h - Stores that are made of rows --------------*- C++ -*-===//
//
// Builds stores without parallel edges from other graphs and from edge lists. A
// function of the store makes the rows.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_STOREROWS_H
#define HEDDLE_GRAPH_DETAIL_STOREROWS_H

#include "heddle/graph/detail/Build.h"

#include <string>
#include <utility>

namespace heddle::graph::detail {

/// Copies a graph. `load(vertices, edges)` must make rows from the edges that
/// `edges(v)` returns for each vertex, sorted by target. Throws Error if the
/// graph has more vertices than `Store` can have, and the exceptions of `load`.
template <Graph Store, Graph Source, typename Load>
Store copyRows(const Source &graph, Load load) {
  using VertexId = typename Store::VertexId;
  using SourceId = typename Source::VertexId;
  static_assert(std::same_as<typename Store::Weight, typename Source::Weight>,
                "the graph has other weights than the store");
  if (graph.vertexCount() > MostVertices<VertexId>)
    throw Error("a graph of " + std::to_string(graph.vertexCount()) +
                " vertices does not fit: expected at most " +
                std::to_string(MostVertices<VertexId>));
  const auto vertices = static_cast<VertexId>(graph.vertexCount());
  auto out = load(vertices, [&](VertexId vertex) {
    return graph.outEdges(static_cast<SourceId>(vertex));
  });
  if (!graph.isDirected())
    return Store(std::move(out));
  return Store(std::move(out), load(vertices, [&](VertexId vertex) {
                 return graph.inEdges(static_cast<SourceId>(vertex));
               }));
}

/// Builds a store from a list of edges, with `load` as above. Of parallel edges
/// the lightest is kept, even if the options ask for all. Throws Error if an
/// end of an edge is not below list.vertexCount, and the exceptions of `load`.
template <Graph Store, typename Load>
Store buildRows(
    const EdgeList<typename Store::VertexId, typename Store::Weight> &list,
    BuildOptions options, Load load) {
  using VertexId = typename Store::VertexId;
  using Builder = RowBuilder<VertexId, typename Store::Weight>;
  checkEdges(list);
  options.parallelEdges = ParallelEdges::KeepLightest;
  const auto build = [&](RowOrder order) {
    const auto rows = Builder(list, order, options).build();
    return load(list.vertexCount,
                [&](VertexId vertex) { return rows[vertex]; });
  };
  if (!options.directed)
    return Store(build(RowOrder::Both));
  auto out = build(RowOrder::Forward);
  return Store(std::move(out), build(RowOrder::Backward));
}

} // namespace heddle::graph::detail

#endif
