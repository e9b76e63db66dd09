//===- Chunk.h - Pieces of a CBList ----------------------------*- C++ -*-===//
//
// What is read and written in the lines of chunks and inner nodes. These are
// handles: they own nothing and are copied like pointers.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_CBLIST_CHUNK_H
#define HEDDLE_GRAPH_CBLIST_CHUNK_H

#include "heddle/graph/Atomic.h"
#include "heddle/graph/cblist/Layout.h"

#include <cstring>

namespace heddle::graph::cblist {

/// What a vertex without edges has instead of a chunk, so that loops over edges
/// need not ask. Nobody writes it.
inline Line emptyChunk = {};

/// What chunks and inner nodes have in common.
class Piece {
public:
  explicit Piece(Line *line) : at(line) {}

  Line *line() const { return at; }
  HeaderWord header() const { return HeaderWord(word()); }
  void setHeader(HeaderWord header) { word() = header.value(); }

  /// The same while another thread may set the link.
  HeaderWord headerShared() const { return HeaderWord(loadShared(word())); }

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

  /// A chunk without edges in `lines`; `block` is for its weights if they lie
  /// beside.
  static Chunk make(Line *line, Kind kind, unsigned lines, VertexId owner,
                    Line *block) {
    Chunk chunk(line);
    chunk.setHeader(HeaderWord(kind, lines));
    *chunk.template place<VertexId>(Layout::OwnerAt) = owner;
    if constexpr (Layout::WeightsBeside)
      *chunk.template place<Line *>(Layout::BlockAt) = block;
    return chunk;
  }

  VertexId owner() const { return *place<VertexId>(Layout::OwnerAt); }
  VertexId *targets() const { return place<VertexId>(Layout::TargetsAt); }

  /// Only if the graph is weighted.
  Weight *weights() const {
    if constexpr (Layout::WeightsBeside)
      return reinterpret_cast<Weight *>(block());
    else
      return place<Weight>(Layout::weightsAt(header().lines()));
  }

  /// Where the weights lie beside the chunk.
  Line *block() const {
    if constexpr (Layout::WeightsBeside)
      return *place<Line *>(Layout::BlockAt);
    else
      return nullptr;
  }

  WeightCursor<Weight> weightCursor() const {
    if constexpr (Layout::IsWeighted)
      return WeightCursor<Weight>(weights());
    else
      return {};
  }

  Weight weight(unsigned position) const {
    if constexpr (Layout::IsWeighted)
      return weights()[position];
    else
      return {};
  }
  void setWeight(unsigned position, Weight weight) {
    if constexpr (Layout::IsWeighted)
      weights()[position] = weight;
  }

  Chunk next() const { return Chunk(header().next()); }
  void setNext(Chunk next) { setHeader(header().withNext(next.line())); }

  /// The same where several threads may write the same link.
  void setNextShared(Chunk next) {
    storeShared(word(), headerShared().withNext(next.line()).value());
  }

  /// How many edges have a lower target: where `target` is or would be.
  unsigned position(VertexId target) const {
    const VertexId *const first = targets();
    const unsigned edges = count();
    unsigned lower = 0;
    for (unsigned i = 0; i < edges; ++i)
      lower += first[i] < target;
    return lower;
  }
  bool holds(unsigned position, VertexId target) const {
    return position < count() && targets()[position] == target;
  }

  /// There must be room.
  void insert(unsigned position, VertexId target, Weight weight) {
    const unsigned edges = count();
    copyEdges(*this, position + 1, *this, position, edges - position);
    targets()[position] = target;
    setWeight(position, weight);
    setCount(edges + 1);
  }

  void erase(unsigned position) {
    const unsigned edges = count();
    copyEdges(*this, position, *this, position + 1, edges - position - 1);
    setCount(edges - 1);
  }

  /// Edges from `fromPosition` on of one chunk to another, which may be the
  /// same. Counts stay as they are.
  static void copyEdges(Chunk to, unsigned toPosition, Chunk from,
                        unsigned fromPosition, unsigned edges) {
    std::memmove(to.targets() + toPosition, from.targets() + fromPosition,
                 edges * sizeof(VertexId));
    if constexpr (Layout::IsWeighted)
      std::memmove(to.weights() + toPosition, from.weights() + fromPosition,
                   edges * sizeof(Weight));
  }
};

/// A node of a tree that has children. The targets below a child are not lower
/// than its separator and lower than the next child's; the first child's does
/// not count. Places without a child have the highest separator there is, so
/// that a search need not know how many there are.
template <typename Layout> class InnerNode : public Piece {
public:
  using VertexId = typename Layout::VertexId;
  using Piece::Piece;

  static InnerNode make(Line *line) {
    InnerNode node(line);
    node.setHeader(HeaderWord(Kind::Inner, Layout::NodeLines));
    std::fill_n(node.separators(), Layout::Children, NoVertex<VertexId>);
    return node;
  }

  VertexId *separators() const { return place<VertexId>(Layout::SeparatorsAt); }
  Line **children() const { return place<Line *>(Layout::ChildrenAt); }

  /// Which child leads to `target`.
  unsigned childFor(VertexId target) const {
    const VertexId *const separator = separators();
    unsigned child = 0;
    for (unsigned i = 1; i < Layout::Children; ++i)
      child += separator[i] <= target;
    return child;
  }

  /// There must be room.
  void insert(unsigned position, VertexId separator, Line *child) {
    const unsigned size = count();
    moveChildren(*this, position + 1, *this, position, size - position);
    separators()[position] = separator;
    children()[position] = child;
    setCount(size + 1);
  }

  void erase(unsigned position) {
    const unsigned size = count();
    moveChildren(*this, position, *this, position + 1, size - position - 1);
    truncate(size - 1);
  }

  /// Forgets the children from `size` on.
  void truncate(unsigned size) {
    std::fill(separators() + size, separators() + count(), NoVertex<VertexId>);
    setCount(size);
  }

  /// Like Chunk::copyEdges.
  static void moveChildren(InnerNode to, unsigned toPosition, InnerNode from,
                           unsigned fromPosition, unsigned size) {
    std::memmove(to.separators() + toPosition, from.separators() + fromPosition,
                 size * sizeof(VertexId));
    std::memmove(to.children() + toPosition, from.children() + fromPosition,
                 size * sizeof(Line *));
  }
};

/// The chunk that has `target`, or would have it, in the tree or chunk that
/// `root` is.
template <typename Layout>
Chunk<Layout> findChunk(Line *root, typename Layout::VertexId target) {
  while (Piece(root).isInner()) {
    const InnerNode<Layout> node(root);
    root = node.children()[node.childFor(target)];
  }
  return Chunk<Layout>(root);
}

/// The last chunk of a vertex. Its link may be set meanwhile.
template <typename Layout> Chunk<Layout> lastChunk(Line *root) {
  while (Piece(root).headerShared().kind() == Kind::Inner) {
    const InnerNode<Layout> node(root);
    root = node.children()[node.count() - 1];
  }
  return Chunk<Layout>(root);
}

} // namespace heddle::graph::cblist

#endif
