//===- Process.h - Programs over vertices and edges ------------*- C++ -*-===//
//
// The programming interface of GastCoCo's table 1 (H. Li et al., 2024):
// functions for vertices, and for the edges of vertices in two forms, push and
// pull. Each step runs the form that has less work. The updates of the table
// are in Update.h.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_PROCESS_H
#define HEDDLE_GRAPH_PROCESS_H

#include "heddle/graph/Frontier.h"
#include "heddle/graph/ReadEdgeList.h"
#include "heddle/graph/detail/Atomic.h"
#include "heddle/graph/detail/Build.h"

#include <concepts>
#include <string>

namespace heddle::graph {

namespace detail {

template <typename Store> struct Loader;

template <VertexIdentifier VertexId, EdgeWeight Weight>
struct Loader<Csr<VertexId, Weight>> {
  static Csr<VertexId, Weight> load(const EdgeList<VertexId, Weight> &list,
                                    const BuildOptions &options) {
    return buildCsr(list, options);
  }
};

} // namespace detail

/// Reads the edge list in `path` and builds a graph from it. Throws what
/// readEdgeList() and buildCsr() throw.
///
///   auto graph = loadGraph("wiki.txt.gz", {.directed = false});
template <Graph Store = Csr<>>
Store loadGraph(const std::string &path, const BuildOptions &options = {}) {
  return detail::Loader<Store>::load(
      readEdgeList<typename Store::VertexId, typename Store::Weight>(path),
      options);
}

/// Calls `function` with every vertex, on the threads of OpenMP and in no
/// order, and returns the sum of the results. The function may change only data
/// of its vertex, and must not throw.
///
///   double total = processVertices(graph, [&](auto v) { return rank[v]; });
template <Graph Store, std::invocable<typename Store::VertexId> VertexFunction>
auto processVertices(const Store &graph, VertexFunction function) {
  using VertexId = typename Store::VertexId;
  using Sum = decltype(function(VertexId()));
  const VertexId vertices = graph.vertexCount();
  Sum total = 0;
#pragma omp parallel for schedule(dynamic, 1024)                               \
    reduction(+ : total) if (worthThreads(vertices))
  for (VertexId v = 0; v < vertices; ++v)
    total += function(v);
  return total;
}

/// Calls `function` for the vertices in `active`, and returns the sum of its
/// results.
template <Graph Store, std::invocable<typename Store::VertexId> VertexFunction>
auto processVertices(const Store &, VertexFunction function,
                     const Frontier<typename Store::VertexId> &active) {
  return active.sum(function);
}

/// Handles all edges that lead out of `active`, in one of two ways, and returns
/// the sum of the function's results:
///
///   sparse  makes `active` sparse and calls `sparseFunction(v, edges)` for its
///           vertices, with their out-edges. Several calls may reach the same
///           target at once and must synchronise, as by claimShared().
///   dense   makes `active` dense and calls `denseFunction(v, edges)` for all
///           vertices, with their in-edges. The function must ignore edges from
///           vertices that are not active. It may change only data of its
///           vertex, and may stop at any edge.
///
/// The dense form is chosen if the active vertices have more than a twentieth
/// of all edges. Functions run on the threads of OpenMP, in no order, and must
/// not throw. active.isDense() tells which form was chosen.
///
///   processEdges(graph, pull, push, frontier);
template <Graph Store, typename DenseFunction, typename SparseFunction>
auto processEdges(const Store &graph, DenseFunction denseFunction,
                  SparseFunction sparseFunction,
                  Frontier<typename Store::VertexId> &active) {
  using VertexId = typename Store::VertexId;
  using Sum = decltype(denseFunction(VertexId(), graph.inEdges(VertexId())));
  constexpr typename Store::EdgeId DenseShare = 20;
  const auto concerned = active.outDegreeSum(graph) + active.size();
  Sum total = 0;
  if (concerned > graph.edgeCount() / DenseShare) {
    active.makeDense();
    const VertexId vertices = graph.vertexCount();
    // Chunks are whole words of a bitmap, which the function may fill.
#pragma omp parallel for schedule(dynamic, 4 * Bitmap::WordBits)               \
    reduction(+ : total) if (worthThreads(graph.edgeCount()))
    for (VertexId v = 0; v < vertices; ++v)
      total += denseFunction(v, graph.inEdges(v));
  } else {
    active.makeSparse();
    total = active.sum([&](VertexId v) -> Sum {
      return sparseFunction(v, graph.outEdges(v));
    });
  }
  return total;
}

} // namespace heddle::graph

#endif
