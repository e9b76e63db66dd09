//===- EdgeRange.h - The edges of one vertex -------------------*- C++ -*-===//
//
// Edges that are adjacent in memory. Their weights, if they have any, are at
// the same indices of an array of their own.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_EDGERANGE_H
#define HEDDLE_GRAPH_DETAIL_EDGERANGE_H

#include "heddle/graph/Graph.h"

#include <cstddef>
#include <iterator>

namespace heddle::graph {

/// Steps through the weights of edges; for Unweighted, through nothing.
template <EdgeWeight Weight> struct WeightCursor {
  const Weight *position = nullptr;

  WeightCursor() = default;
  explicit WeightCursor(const Weight *position) : position(position) {}
  Weight operator*() const { return *position; }
  void operator++() { ++position; }
};
template <> struct WeightCursor<Unweighted> {
  Unweighted operator*() const { return {}; }
  void operator++() {}
};

/// The layout of edges that consist of their targets only.
struct PlainTargets {
  static constexpr auto neighbour(VertexIdentifier auto target) {
    return target;
  }
};

/// The edges of one vertex: pointers into a store, valid as long as it is.
/// `Layout::neighbour` returns the target of a stored edge.
template <VertexIdentifier VertexId, EdgeWeight Weight,
          typename Layout = PlainTargets>
class EdgeRange {
public:
  class Iterator {
  public:
    using value_type = Neighbour<VertexId, Weight>;
    using difference_type = std::ptrdiff_t;
    using iterator_concept = std::forward_iterator_tag;

    Iterator() = default;
    Iterator(const VertexId *edge, WeightCursor<Weight> weight)
        : edge(edge), weight(weight) {}

    value_type operator*() const { return {Layout::neighbour(*edge), *weight}; }
    Iterator &operator++() {
      ++edge;
      ++weight;
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    bool operator==(const Iterator &other) const { return edge == other.edge; }

  private:
    const VertexId *edge = nullptr;
    [[no_unique_address]] WeightCursor<Weight> weight;
  };

  EdgeRange(const VertexId *first, const VertexId *last,
            WeightCursor<Weight> weight)
      : first(first), last(last), weight(weight) {}

  Iterator begin() const { return {first, weight}; }
  Iterator end() const { return {last, {}}; }
  std::size_t size() const { return static_cast<std::size_t>(last - first); }
  bool empty() const { return first == last; }

private:
  const VertexId *first, *last;
  [[no_unique_address]] WeightCursor<Weight> weight;
};

} // namespace heddle::graph

#endif
