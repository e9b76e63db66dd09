//===- Graph.h - The concept of a graph -------------------------*- C++ -*-===//
//
// Algorithms are written once, as plain loops, over the concept defined here;
// every store satisfies it. It requires only what traversals, shortest paths,
// ranks, components and triangle counts use.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_GRAPH_H
#define HEDDLE_GRAPH_GRAPH_H

#include <concepts>
#include <cstdint>
#include <limits>
#include <ranges>
#include <type_traits>

namespace heddle::graph {

/// The weight of edges that have none. It is empty: it takes no memory, and
/// all its values are equal.
struct Unweighted {
  friend bool operator==(Unweighted, Unweighted) = default;
};

/// 32 or 64 bits without sign. The highest value names no vertex, so that the
/// number of vertices is a VertexId too and a loop over all of them ends.
template <typename T>
concept VertexIdentifier =
    std::same_as<T, std::uint32_t> || std::same_as<T, std::uint64_t>;

template <typename T>
concept EdgeWeight =
    std::same_as<T, Unweighted> ||
    (std::is_arithmetic_v<T> && !std::same_as<std::remove_cv_t<T>, bool>);

/// The highest number of vertices that a graph may have.
template <VertexIdentifier VertexId>
inline constexpr VertexId MostVertices = std::numeric_limits<VertexId>::max();

/// The value of a VertexId that names no vertex.
template <VertexIdentifier VertexId>
inline constexpr VertexId NoVertex = MostVertices<VertexId>;

/// An edge as seen from one of its ends.
template <VertexIdentifier VertexId, EdgeWeight Weight> struct Neighbour {
  VertexId target;
  [[no_unique_address]] Weight weight;

  friend bool operator==(const Neighbour &, const Neighbour &) = default;
};

/// Edges of one vertex, as outEdges() and inEdges() return them: elements have
/// a `target` and a `weight`. The target of an in-edge is its source.
template <typename Range, typename VertexId, typename Weight>
concept EdgesOfVertex = std::ranges::input_range<Range> &&
                        requires(std::ranges::range_value_t<Range> edge) {
                          { edge.target } -> std::convertible_to<VertexId>;
                          { edge.weight } -> std::convertible_to<Weight>;
                        };

/// Vertices are 0 to vertexCount() - 1. edgeCount() is the sum of all
/// out-degrees: an undirected edge counts once for each end, a self-loop once.
/// In an undirected graph the in-edges of a vertex are its out-edges. All
/// queries are cheap, do not throw and may be made by many threads while none
/// changes the graph; a vertex that does not exist is a caller's error.
///
///   template <Graph Store> auto farthest(const Store &graph) {
///     typename Store::VertexId highest = 0;
///     for (typename Store::VertexId v = 0; v < graph.vertexCount(); ++v)
///       for (auto [target, weight] : graph.outEdges(v))
///         highest = std::max(highest, target);
///     return highest;
///   }
template <typename Store>
concept Graph =
    VertexIdentifier<typename Store::VertexId> &&
    std::unsigned_integral<typename Store::EdgeId> &&
    EdgeWeight<typename Store::Weight> &&
    requires(const Store &graph, typename Store::VertexId vertex) {
      { graph.vertexCount() } -> std::same_as<typename Store::VertexId>;
      { graph.edgeCount() } -> std::same_as<typename Store::EdgeId>;
      { graph.outDegree(vertex) } -> std::same_as<typename Store::EdgeId>;
      { graph.inDegree(vertex) } -> std::same_as<typename Store::EdgeId>;
      {
        graph.outEdges(vertex)
      } -> EdgesOfVertex<typename Store::VertexId, typename Store::Weight>;
      {
        graph.inEdges(vertex)
      } -> EdgesOfVertex<typename Store::VertexId, typename Store::Weight>;
      { graph.isDirected() } -> std::same_as<bool>;
    };

/// Whether the edges of a store carry weights.
template <Graph Store>
inline constexpr bool IsWeighted =
    !std::same_as<typename Store::Weight, Unweighted>;

} // namespace heddle::graph

#endif
