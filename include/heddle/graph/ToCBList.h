//===- ToCBList.h - From lists and other stores to chunks ------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_TOCBLIST_H
#define HEDDLE_GRAPH_TOCBLIST_H

#include "heddle/graph/CBList.h"
#include "heddle/graph/detail/StoreRows.h"

namespace heddle::graph {

/// Copies a graph into the store `Store`, a CBList with the same weights. Of
/// parallel edges the first is kept; in a graph of buildCsr() that is the one
/// with the least weight. Runs on the threads of OpenMP, takes time in
/// proportion to vertices and edges, and 16 bytes a vertex in addition to the
/// result. Throws Error if the edges of a vertex are not sorted by target or
/// there are more vertices than `Store` can have, and std::bad_alloc.
///
///   auto graph = toCBList<CBList<>>(csr);
template <Graph Store, Graph Source> Store toCBList(const Source &graph) {
  return detail::copyRows<Store>(graph, [](auto vertices, auto edges) {
    return cblist::loadRows<typename Store::Layout>(vertices, edges);
  });
}

/// Builds a graph from a list of edges. There is at most one edge from a vertex
/// to another: of parallel edges the lightest is kept, even if the options ask
/// for all. Runs on the threads of OpenMP; the result does not depend on their
/// number. Throws Error if an end of an edge is not below list.vertexCount, and
/// std::bad_alloc. Takes the memory that buildCsr() takes for one direction in
/// addition to the result.
///
///   auto graph = buildCBList(list, {.directed = false});
template <CBListShape Shape = CBListShape(), VertexIdentifier VertexId,
          EdgeWeight Weight>
CBList<VertexId, Weight, Shape>
buildCBList(const EdgeList<VertexId, Weight> &list,
            const BuildOptions &options = {}) {
  using Store = CBList<VertexId, Weight, Shape>;
  return detail::buildRows<Store>(list, options, [](auto vertices, auto edges) {
    return cblist::loadRows<typename Store::Layout>(vertices, edges);
  });
}

namespace detail {

template <typename Store> struct Loader;

template <VertexIdentifier VertexId, EdgeWeight Weight, CBListShape Shape>
struct Loader<CBList<VertexId, Weight, Shape>> {
  static CBList<VertexId, Weight, Shape>
  load(const EdgeList<VertexId, Weight> &list, const BuildOptions &options) {
    return buildCBList<Shape>(list, options);
  }
};

} // namespace detail

} // namespace heddle::graph

#endif
