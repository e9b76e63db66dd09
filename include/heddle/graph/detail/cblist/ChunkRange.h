//===- ChunkRange.h - The edges of one vertex, chunk by chunk --*- C++ -*-===//

#ifndef HEDDLE_GRAPH_DETAIL_CBLIST_CHUNKRANGE_H
#define HEDDLE_GRAPH_DETAIL_CBLIST_CHUNKRANGE_H

#include "heddle/graph/detail/cblist/Chunk.h"

#include <cstddef>
#include <iterator>

namespace heddle::graph::cblist {

/// The edges of a row, in its record or in a chain of chunks. Valid until the
/// vertex is changed. For each edge a loop reads the edge and counts down the
/// edges left in the chunk, so the compiler knows the trip count of a loop over
/// a chunk and can unroll it.
template <typename Layout> class ChunkRange {
public:
  using VertexId = typename Layout::VertexId;
  using Weight = typename Layout::Weight;
  static constexpr bool IsDistinct = true; ///< and sorted by target

  class Iterator {
  public:
    using value_type = Neighbour<VertexId, Weight>;
    using difference_type = std::ptrdiff_t;
    using iterator_concept = std::forward_iterator_tag;

    /// The end of all ranges.
    Iterator() = default;
    explicit Iterator(const ChunkRange &range)
        : edge(range.edges != 0 ? range.targets : nullptr),
          inChunk(range.inChunk), weight(range.weight), chunk(range.chunk),
          left(range.edges - range.inChunk) {}

    value_type operator*() const { return {*edge, *weight}; }
    Iterator &operator++() {
      ++edge;
      ++weight;
      if (--inChunk == 0)
        leave();
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    bool operator==(const Iterator &other) const { return edge == other.edge; }

  private:
    void leave() {
      if (left == 0) {
        edge = nullptr;
        return;
      }
      chunk = chunk.next();
      edge = chunk.targets();
      inChunk = chunk.count();
      weight = chunk.slots().weightCursor();
      left -= inChunk;
    }

    /// Null at the end. The compiler knows that a step within a chunk does not
    /// make it null, so it compares only once per edge.
    const VertexId *edge = nullptr;
    std::size_t inChunk = 0; ///< edges left in the chunk
    [[no_unique_address]] WeightCursor<Weight> weight;
    Chunk<Layout> chunk = Chunk<Layout>(nullptr);
    std::size_t left = 0; ///< edges in later chunks
  };

  /// A range of `edges` edges: the first `inChunk` are in `slots`, the others
  /// in the chunks behind `chunk`.
  ChunkRange(const Slots<VertexId, Weight> &slots, Chunk<Layout> chunk,
             std::size_t inChunk, std::size_t edges)
      : targets(slots.targets), weight(slots.weightCursor()), chunk(chunk),
        inChunk(inChunk), edges(edges) {}

  Iterator begin() const { return Iterator(*this); }
  Iterator end() const { return {}; }
  std::size_t size() const { return edges; }
  bool empty() const { return edges == 0; }

private:
  const VertexId *targets;
  [[no_unique_address]] WeightCursor<Weight> weight;
  Chunk<Layout> chunk;
  std::size_t inChunk, edges;
};

} // namespace heddle::graph::cblist

#endif
