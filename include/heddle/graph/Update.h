//===- Update.h - Graphs that change ---------------------------*- C++ -*-===//
//
// The updates of GastCoCo's table 1 (H. Li et al., 2024). A store that supports
// them satisfies the concept UpdatableGraph; for other stores, such as Csr,
// code with updates does not compile.
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

/// A graph that can be changed while no other thread uses it. Some updates have
/// no effect: deleting an edge that does not exist, changing the weight of an
/// edge that does not exist or of an unweighted graph, and adding an edge that
/// exists, which keeps its weight.
///
/// updateVertex() adds a vertex without edges, or deletes one with all of its
/// edges; updateEdge() adds an edge between vertices that exist, deletes it or
/// changes its weight. Both return whether they had an effect. updateEdges()
/// has the same result as calling updateEdge() for one update after the other,
/// usually in parallel, and returns how many had an effect.
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
