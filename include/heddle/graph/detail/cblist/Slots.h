//===- Slots.h - Sorted edges in a piece of memory -------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_DETAIL_CBLIST_SLOTS_H
#define HEDDLE_GRAPH_DETAIL_CBLIST_SLOTS_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/EdgeRange.h"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstring>

namespace heddle::graph::cblist {

/// Edges of one vertex, sorted by target, in a chunk or in a vertex record: an
/// array of targets and, if there are weights, an array of these. The caller
/// keeps the number of edges.
template <VertexIdentifier VertexId, EdgeWeight Weight> struct Slots {
  static constexpr bool IsWeighted = !std::same_as<Weight, Unweighted>;

  VertexId *targets;
  Weight *weights; ///< only if weighted

  WeightCursor<Weight> weightCursor() const {
    if constexpr (IsWeighted)
      return WeightCursor<Weight>(weights);
    else
      return {};
  }
  Weight weight(unsigned position) const {
    if constexpr (IsWeighted)
      return weights[position];
    else
      return {};
  }
  void setWeight(unsigned position, Weight weight) const {
    if constexpr (IsWeighted)
      weights[position] = weight;
  }

  /// The number of edges, of `count`, with a lower target: the position of
  /// `target`, or where it would be inserted.
  unsigned position(unsigned count, VertexId target) const {
    unsigned lower = 0;
    for (unsigned i = 0; i < count; ++i)
      lower += targets[i] < target;
    return lower;
  }

  /// Returns the position of `target` among edges that are in the cache:
  /// compares every 16th edge, then the edges between two of these. Takes the
  /// same number of steps for every target.
  unsigned positionNear(unsigned count, VertexId target) const {
    constexpr unsigned Few = 16, Most = 64;
    if (count < Few || count > Most)
      return position(count, target);
    unsigned begin = 0;
    for (unsigned end = Few; end < Most; end += Few) {
      const bool isLower = targets[std::min(end, count) - 1] < target;
      begin += (isLower & (end <= count)) * Few;
    }
    begin = std::min(begin, count - Few);
    unsigned lower = begin;
    for (unsigned i = 0; i < Few; ++i)
      lower += targets[begin + i] < target;
    HEDDLE_ASSERT(lower == position(count, target));
    return lower;
  }

  /// Inserts an edge into `count` edges; there must be room.
  void insert(unsigned count, unsigned position, VertexId target,
              Weight weight) const {
    HEDDLE_ASSERT(position <= count);
    HEDDLE_ASSERT(position == 0 || targets[position - 1] < target);
    HEDDLE_ASSERT(position == count || target < targets[position]);
    move(*this, position + 1, *this, position, count - position);
    targets[position] = target;
    setWeight(position, weight);
  }

  /// Erases one of `count` edges.
  void erase(unsigned count, unsigned position) const {
    HEDDLE_ASSERT(position < count);
    move(*this, position, *this, position + 1, count - position - 1);
  }

  /// Copies `edges` edges, which may overlap.
  static void move(Slots to, unsigned toPosition, Slots from,
                   unsigned fromPosition, unsigned edges) {
    std::memmove(to.targets + toPosition, from.targets + fromPosition,
                 edges * sizeof(VertexId));
    if constexpr (IsWeighted)
      std::memmove(to.weights + toPosition, from.weights + fromPosition,
                   edges * sizeof(Weight));
  }
};

} // namespace heddle::graph::cblist

#endif
