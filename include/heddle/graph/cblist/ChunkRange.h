//===- ChunkRange.h - The edges of one vertex, chunk by chunk --*- C++ -*-===//

#ifndef HEDDLE_GRAPH_CBLIST_CHUNKRANGE_H
#define HEDDLE_GRAPH_CBLIST_CHUNKRANGE_H

#include "heddle/graph/cblist/Chunk.h"

#include <cstddef>
#include <iterator>

namespace heddle::graph::cblist {

/// Edges that begin with a chunk and go on in those it leads to. Valid until
/// the vertex is changed. What a loop looks at for each edge is the edge and
/// where its chunk ends, as for edges that lie side by side.
template <typename Layout> class ChunkRange {
public:
  using VertexId = typename Layout::VertexId;
  using Weight = typename Layout::Weight;

  class Iterator {
  public:
    using value_type = Neighbour<VertexId, Weight>;
    using difference_type = std::ptrdiff_t;
    using iterator_concept = std::forward_iterator_tag;

    Iterator() = default;
    Iterator(Line *first, std::size_t edges) : next(first), left(edges) {
      enterNext();
    }

    value_type operator*() const { return {*edge, *weight}; }
    Iterator &operator++() {
      ++edge;
      ++weight;
      if (edge == last && left != 0)
        enterNext();
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    bool operator==(const Iterator &other) const { return edge == other.edge; }
    bool operator==(std::default_sentinel_t) const { return edge == last; }

  private:
    void enterNext() {
      const Chunk<Layout> chunk(next);
      const HeaderWord header = chunk.header();
      edge = chunk.targets();
      last = edge + header.count();
      weight = chunk.weightCursor();
      left -= header.count();
      next = header.next();
    }

    const VertexId *edge = nullptr, *last = nullptr;
    [[no_unique_address]] WeightCursor<Weight> weight;
    Line *next = nullptr;
    std::size_t left = 0; ///< edges in later chunks
  };

  ChunkRange(Line *first, std::size_t edges) : first(first), edges(edges) {}

  Iterator begin() const { return {first, edges}; }
  std::default_sentinel_t end() const { return {}; }
  std::size_t size() const { return edges; }
  bool empty() const { return edges == 0; }

private:
  Line *first;
  std::size_t edges;
};

} // namespace heddle::graph::cblist

#endif
