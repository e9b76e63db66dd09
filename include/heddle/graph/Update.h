//===- Update.h - Graphs that change ---------------------------*- C++ -*-===//
//
// The updates of GastCoCo's table 1 (H. Li et al., 2024). A store says whether
// it takes them by satisfying the concept; one that does not, such as Csr, is
// refused by the compiler.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_UPDATE_H
#define HEDDLE_GRAPH_UPDATE_H

#include "heddle/graph/EdgeList.h"
#include "heddle/graph/Graph.h"

#include <concepts>
#include <cstddef>
#include <span>

namespace heddle::graph {

enum class UpdateMode {
  Add,
  Delete,
  Modify ///< give an edge that exists another weight
};

template <VertexIdentifier VertexId, EdgeWeight Weight> struct EdgeUpdate {
  Edge<VertexId, Weight> edge;
  UpdateMode mode = UpdateMode::Add;
};

/// A graph that can be changed while nobody else uses it. Updates that have
/// nothing to do do nothing: deleting an edge that does not exist, giving
/// another weight to one that does not exist or has none at all, or adding one
/// that exists, which keeps its weight.
///
/// updateVertex() adds a vertex without edges, or deletes one with all of its
/// edges; updateEdge() adds an edge between vertices that exist, deletes it or
/// changes its weight. Both return whether they did something. updateEdges()
/// does the same as updateEdge() for one after the other, usually in parallel,
/// and returns how many did something.
template <typename Store>
concept UpdatableGraph =
    Graph<Store> &&
    requires(
        Store &graph, typename Store::VertexId vertex, UpdateMode mode,
        EdgeUpdate<typename Store::VertexId, typename Store::Weight> edge,
        std::span<
            const EdgeUpdate<typename Store::VertexId, typename Store::Weight>>
            edges) {
      { graph.updateVertex(vertex, mode) } -> std::same_as<bool>;
      { graph.updateEdge(edge) } -> std::same_as<bool>;
      { graph.updateEdges(edges) } -> std::same_as<std::size_t>;
    };

} // namespace heddle::graph

#endif
