//===- Chunk.h - Pieces of a CBList ----------------------------*- C++ -*-===//
//
// Access to the lines of chunks and inner nodes. Chunk and InnerNode are
// handles: they own nothing and are copied like pointers.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_CBLIST_CHUNK_H
#define HEDDLE_GRAPH_DETAIL_CBLIST_CHUNK_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/cblist/Layout.h"
#include "heddle/graph/detail/cblist/Slots.h"

#include <cstring>

namespace heddle::graph::cblist {

/// The header of chunks and inner nodes.
class Piece {
public:
  explicit Piece(Line *line) : at(line) {}

  Line *line() const { return at; }
  HeaderWord header() const { return HeaderWord(word()); }
  void setHeader(HeaderWord header) { word() = header.value(); }

  unsigned count() const { return header().count(); }
  void setCount(unsigned count) { setHeader(header().withCount(count)); }
  bool isInner() const { return header().kind() == Kind::Inner; }

protected:
  template <typename T> T *place(std::size_t offset) const {
    return reinterpret_cast<T *>(at->bytes + offset);
  }
  std::uint64_t &word() const { return *place<std::uint64_t>(0); }

private:
  Line *at;
};

/// Edges of one vertex, sorted by target: a small chunk or a leaf of a tree.
template <typename Layout> class Chunk : public Piece {
public:
  using VertexId = typename Layout::VertexId;
  using Weight = typename Layout::Weight;
  using Piece::Piece;

  /// Makes an empty chunk of `lines` lines at `line`; `block` is for its
  /// weights if they are stored beside it.
  static Chunk make(Line *line, Kind kind, unsigned lines, Line *block) {
    HEDDLE_ASSERT(kind != Kind::Inner &&
                  (block != nullptr || !Layout::WeightsBeside));
    Chunk chunk(line);
    chunk.setHeader(HeaderWord(kind, lines));
    if constexpr (Layout::WeightsBeside)
      *chunk.template place<Line *>(Layout::BlockAt) = block;
    return chunk;
  }

  VertexId *targets() const { return place<VertexId>(Layout::TargetsAt); }

  /// The weights. Only if the graph is weighted.
  Weight *weights() const {
    if constexpr (Layout::WeightsBeside)
      return reinterpret_cast<Weight *>(block());
    else
      return place<Weight>(Layout::weightsAt(header().lines()));
  }

  /// The block of weights, if they are stored beside the chunk.
  Line *block() const {
    if constexpr (Layout::WeightsBeside)
      return *place<Line *>(Layout::BlockAt);
    else
      return nullptr;
  }

  Slots<VertexId, Weight> slots() const {
    if constexpr (Layout::IsWeighted)
      return {targets(), weights()};
    else
      return {targets(), nullptr};
  }

  /// The next leaf of the same tree.
  Chunk next() const { return Chunk(header().next()); }
  void setNext(Chunk next) { setHeader(header().withNext(next.line())); }

  /// Inserts an edge. The chunk must have room.
  void insert(unsigned position, VertexId target, Weight weight) {
    const unsigned edges = count();
    HEDDLE_ASSERT(edges < Layout::fitting(header().lines()));
    slots().insert(edges, position, target, weight);
    setCount(edges + 1);
  }

  void erase(unsigned position) {
    const unsigned edges = count();
    slots().erase(edges, position);
    setCount(edges - 1);
  }

  /// Copies `edges` edges from one chunk to another, which may be the same.
  /// Does not change the counts.
  static void move(Chunk to, unsigned toPosition, Chunk from,
                   unsigned fromPosition, unsigned edges) {
    HEDDLE_ASSERT(toPosition + edges <= Layout::fitting(to.header().lines()) &&
                  fromPosition + edges <=
                      Layout::fitting(from.header().lines()));
    Slots<VertexId, Weight>::move(to.slots(), toPosition, from.slots(),
                                  fromPosition, edges);
  }
};

/// An inner node of a tree. The targets below a child are at least its
/// separator and less than the separator of the next child. The separator of
/// the first child is not used.
template <typename Layout> class InnerNode : public Piece {
public:
  using VertexId = typename Layout::VertexId;
  using Piece::Piece;

  static InnerNode make(Line *line, unsigned lines) {
    InnerNode node(line);
    node.setHeader(HeaderWord(Kind::Inner, lines));
    return node;
  }

  VertexId *separators() const { return place<VertexId>(Layout::SeparatorsAt); }
  Line **children() const {
    return place<Line *>(Layout::childrenAt(header().lines()));
  }
  bool isFull() const {
    return count() == Layout::mostChildren(header().lines());
  }

  /// The index of the child that leads to `target`.
  unsigned childFor(VertexId target) const {
    const VertexId *const separator = separators();
    const unsigned children = count();
    unsigned child = 0;
    for (unsigned i = 1; i < children; ++i)
      child += separator[i] <= target;
    return child;
  }

  /// Inserts a child. The node must have room.
  void insert(unsigned position, VertexId separator, Line *child) {
    const unsigned size = count();
    HEDDLE_ASSERT(!isFull() && position <= size);
    HEDDLE_ASSERT(position < 2 || separators()[position - 1] < separator);
    HEDDLE_ASSERT(position == 0 || position == size ||
                  separator < separators()[position]);
    move(*this, position + 1, *this, position, size - position);
    separators()[position] = separator;
    children()[position] = child;
    setCount(size + 1);
  }

  void erase(unsigned position) {
    const unsigned size = count();
    HEDDLE_ASSERT(position < size);
    move(*this, position, *this, position + 1, size - position - 1);
    setCount(size - 1);
  }

  /// Like Chunk::move().
  static void move(InnerNode to, unsigned toPosition, InnerNode from,
                   unsigned fromPosition, unsigned size) {
    HEDDLE_ASSERT(toPosition + size <=
                  Layout::childPlaces(to.header().lines()));
    std::memmove(to.separators() + toPosition, from.separators() + fromPosition,
                 size * sizeof(VertexId));
    std::memmove(to.children() + toPosition, from.children() + fromPosition,
                 size * sizeof(Line *));
  }
};

/// The chunk that has `target` or would have it, `depth` levels below `root`.
/// Inlined, as loops that search have to see the loads that they wait for.
template <typename Layout>
[[gnu::always_inline]] inline Chunk<Layout>
findChunk(Line *root, unsigned depth, typename Layout::VertexId target) {
  for (; depth != 0; --depth) {
    const InnerNode<Layout> node(root);
    root = node.children()[node.childFor(target)];
  }
  return Chunk<Layout>(root);
}

} // namespace heddle::graph::cblist

#endif
