//===- ToCpmaGraph.h - From lists and other stores to one set --*- C++ -*-===//

#ifndef HEDDLE_GRAPH_TOCPMAGRAPH_H
#define HEDDLE_GRAPH_TOCPMAGRAPH_H

#include "heddle/graph/CpmaGraph.h"
#include "heddle/graph/detail/StoreRows.h"

namespace heddle::graph {

/// Copies a graph into the store `Store`, a CpmaGraph with the same weights. Of
/// parallel edges the first is kept; in a graph of buildCsr() that is the one
/// with the least weight. Runs on the threads of OpenMP, takes time in
/// proportion to vertices and edges, and 8 bytes a vertex in addition to the
/// result. Throws Error if the edges of a vertex are not sorted by target or
/// there are more vertices than `Store` can have, and std::bad_alloc.
///
///   auto graph = toCpmaGraph<CpmaGraph<>>(csr);
template <Graph Store, Graph Source>
Store toCpmaGraph(const Source &graph, const PmaOptions &options = {}) {
  return detail::copyRows<Store>(graph, [&](auto vertices, auto edges) {
    return cpmagraph::loadRows<typename Store::Layout>(vertices, edges,
                                                       options.growingFactor);
  });
}

namespace detail {

template <typename Store, typename List>
Store buildCpmaRows(const List &list, const BuildOptions &options,
                    const PmaOptions &array) {
  return buildRows<Store>(list, options, [&](auto vertices, auto edges) {
    return cpmagraph::loadRows<typename Store::Layout>(vertices, edges,
                                                       array.growingFactor);
  });
}

} // namespace detail

/// Builds a graph from a list of edges. There is at most one edge from a vertex
/// to another: of parallel edges the lightest is kept, even if the options ask
/// for all. Runs on the threads of OpenMP; the result does not depend on their
/// number. Throws Error if an end of an edge is not below list.vertexCount, and
/// std::bad_alloc. Takes the memory that buildCsr() takes for one direction in
/// addition to the result.
///
///   auto graph = buildCpmaGraph(list, {.directed = false});
template <VertexIdentifier VertexId, EdgeWeight Weight>
CpmaGraph<VertexId, Weight>
buildCpmaGraph(const EdgeList<VertexId, Weight> &list,
               const BuildOptions &options = {}, const PmaOptions &array = {}) {
  return detail::buildCpmaRows<CpmaGraph<VertexId, Weight>>(list, options,
                                                            array);
}

namespace detail {

template <typename Store> struct Loader;

template <VertexIdentifier VertexId, EdgeWeight Weight, std::size_t LeafBytes>
struct Loader<CpmaGraph<VertexId, Weight, LeafBytes>> {
  using Store = CpmaGraph<VertexId, Weight, LeafBytes>;

  static Store load(const EdgeList<VertexId, Weight> &list,
                    const BuildOptions &options) {
    return buildCpmaRows<Store>(list, options, {});
  }
};

} // namespace detail

} // namespace heddle::graph

#endif
