//===- TreeEditor.h - Splits and merges ------------------------*- C++ -*-===//
//
// The B+ tree of one vertex. A split leaves the lower half where it is and a
// merge keeps the left one of two nodes: the first leaf, which the chain leads
// to from elsewhere, stays as long as the tree does.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_CBLIST_TREEEDITOR_H
#define HEDDLE_GRAPH_CBLIST_TREEEDITOR_H

#include "heddle/graph/cblist/Pieces.h"
#include "heddle/graph/cblist/Rows.h"

#include <array>

namespace heddle::graph::cblist {

/// Changes the tree of one vertex, for the thread that may. Does not count
/// edges.
template <typename Layout> class TreeEditor {
public:
  using VertexId = typename Layout::VertexId;
  using Weight = typename Layout::Weight;
  using Record = VertexRecord<VertexId>;

  TreeEditor(LineStore &store, Record &record, VertexId owner)
      : store(store), record(record), owner(owner) {}

  /// Adds an edge that is not there and has no room in its leaf. Throws
  /// std::bad_alloc and has then done nothing.
  void insertIntoFullLeaf(VertexId target, Weight weight) {
    descend(target);
    std::size_t fullNodes = 0;
    while (fullNodes < depth &&
           step(fullNodes).node.count() == Layout::MostChildren)
      ++fullNodes;
    const bool growsRoot = fullNodes == depth;
    PieceSupply<Layout> supply(store, {.chunks = 1,
                                       .chunkLines = Layout::NodeLines,
                                       .inners = fullNodes + growsRoot});
    const Chunk<Layout> right = splitLeaf(target, weight, supply);
    record.setLevel(record.level() + 1);
    insertChild(right.targets()[0], right.line(), supply);
  }

  /// Sees to it that the leaf which would have `target` has not too few edges,
  /// after one has been erased.
  void refill(VertexId target) {
    descend(target);
    if (depth == 0 || leaf.count() >= Layout::FewestLeafEdges)
      return;
    if (!joinLeaves())
      return;
    record.setLevel(record.level() - 1);
    for (unsigned above = 0; above + 1 < depth; ++above) {
      if (step(above).node.count() >= Layout::FewestChildren ||
          !joinNodes(step(above + 1)))
        return;
    }
    if (step(depth - 1).node.count() == 1) {
      const InnerNode<Layout> root = step(depth - 1).node;
      record.root = root.children()[0];
      store.give(root.line(), Layout::NodeLines);
    }
  }

private:
  struct Step {
    InnerNode<Layout> node = InnerNode<Layout>(nullptr);
    unsigned child = 0; ///< the one that the way goes on with
  };

  /// The inner node that is `above` levels above the leaf's parent.
  Step &step(std::size_t above) { return path[depth - 1 - above]; }

  void descend(VertexId target) {
    Line *node = record.root;
    for (depth = 0; Piece(node).isInner(); ++depth) {
      const InnerNode<Layout> inner(node);
      path[depth] = {inner, inner.childFor(target)};
      node = inner.children()[path[depth].child];
    }
    leaf = Chunk<Layout>(node);
  }

  /// How many of `size` and one more stay on the left of a split, if that one
  /// becomes number `position`. What grows at its end will go on to do so and
  /// leaves full pieces behind.
  static unsigned leftShare(unsigned size, unsigned position,
                            unsigned fewestRight) {
    if (position == size)
      return size + 1 - std::max(size / 4 + 1, fewestRight);
    return (size + 1) / 2;
  }

  template <typename Supply>
  Chunk<Layout> splitLeaf(VertexId target, Weight weight, Supply &supply) {
    constexpr unsigned Lines = Layout::NodeLines;
    Chunk<Layout> right = Chunk<Layout>::make(
        supply.chunk(Lines), Kind::Leaf, Lines, owner, supply.block(Lines));
    const unsigned size = leaf.count();
    const unsigned position = leaf.position(target);
    const unsigned left = leftShare(size, position, Layout::FewestLeafEdges);
    const bool goesLeft = position < left;
    const unsigned kept = left - goesLeft;
    Chunk<Layout>::copyEdges(right, 0, leaf, kept, size - kept);
    right.setCount(size - kept);
    right.setNext(leaf.next());
    leaf.setCount(kept);
    leaf.setNext(right);
    if (goesLeft)
      leaf.insert(position, target, weight);
    else
      right.insert(position - kept, target, weight);
    return right;
  }

  /// Adds a child behind the one that the way went through, and splits what is
  /// full.
  template <typename Supply>
  void insertChild(VertexId separator, Line *child, Supply &supply) {
    for (unsigned above = 0; above < depth; ++above) {
      InnerNode<Layout> node = step(above).node;
      const unsigned position = step(above).child + 1;
      if (node.count() < Layout::MostChildren) {
        node.insert(position, separator, child);
        return;
      }
      child = splitNode(node, position, separator, child, supply.inner());
      separator = InnerNode<Layout>(child).separators()[0];
    }
    InnerNode<Layout> root = InnerNode<Layout>::make(supply.inner());
    root.insert(0, 0, record.root);
    root.insert(1, separator, child);
    record.root = root.line();
  }

  /// Returns the new right half.
  static Line *splitNode(InnerNode<Layout> node, unsigned position,
                         VertexId separator, Line *child, Line *line) {
    InnerNode<Layout> right = InnerNode<Layout>::make(line);
    const unsigned size = node.count();
    const unsigned left = leftShare(size, position, Layout::FewestChildren);
    const bool goesLeft = position < left;
    const unsigned kept = left - goesLeft;
    InnerNode<Layout>::moveChildren(right, 0, node, kept, size - kept);
    right.setCount(size - kept);
    node.truncate(kept);
    if (goesLeft)
      node.insert(position, separator, child);
    else
      right.insert(position - kept, separator, child);
    return line;
  }

  /// Merges the leaf with one beside it, and says so, or takes edges from
  /// there.
  bool joinLeaves() {
    const Step &parent = step(0);
    InnerNode<Layout> node = parent.node;
    const unsigned second = std::max(parent.child, 1u);
    Chunk<Layout> left(node.children()[second - 1]);
    Chunk<Layout> right(node.children()[second]);
    const unsigned leftSize = left.count(), rightSize = right.count();
    const unsigned size = leftSize + rightSize;
    if (size <= Layout::MostLeafEdges) {
      Chunk<Layout>::copyEdges(left, leftSize, right, 0, rightSize);
      left.setCount(size);
      left.setNext(right.next());
      giveChunk(store, right);
      node.erase(second);
      return true;
    }
    const unsigned share = size / 2;
    if (leftSize < share) {
      const unsigned moved = share - leftSize;
      Chunk<Layout>::copyEdges(left, leftSize, right, 0, moved);
      Chunk<Layout>::copyEdges(right, 0, right, moved, rightSize - moved);
    } else {
      const unsigned moved = leftSize - share;
      Chunk<Layout>::copyEdges(right, moved, right, 0, rightSize);
      Chunk<Layout>::copyEdges(right, 0, left, share, moved);
    }
    left.setCount(share);
    right.setCount(size - share);
    node.separators()[second] = right.targets()[0];
    return false;
  }

  /// The same for the child of `parent` that the way goes on with, an inner
  /// node.
  bool joinNodes(const Step &parent) {
    using Node = InnerNode<Layout>;
    Node node = parent.node;
    const unsigned second = std::max(parent.child, 1u);
    Node left(node.children()[second - 1]), right(node.children()[second]);
    const unsigned leftSize = left.count(), rightSize = right.count();
    const unsigned size = leftSize + rightSize;
    // The first separator of a node may have been overtaken by its parent's.
    right.separators()[0] = node.separators()[second];
    if (size <= Layout::MostChildren) {
      Node::moveChildren(left, leftSize, right, 0, rightSize);
      left.setCount(size);
      store.give(right.line(), Layout::NodeLines);
      node.erase(second);
      return true;
    }
    const unsigned share = size / 2;
    if (leftSize < share) {
      const unsigned moved = share - leftSize;
      Node::moveChildren(left, leftSize, right, 0, moved);
      left.setCount(share);
      Node::moveChildren(right, 0, right, moved, rightSize - moved);
      right.truncate(rightSize - moved);
    } else {
      const unsigned moved = leftSize - share;
      Node::moveChildren(right, moved, right, 0, rightSize);
      Node::moveChildren(right, 0, left, share, moved);
      right.setCount(size - share);
      left.truncate(share);
    }
    node.separators()[second] = right.separators()[0];
    return false;
  }

  LineStore &store;
  Record &record;
  const VertexId owner;
  std::array<Step, MostLevels> path;
  unsigned depth = 0;
  Chunk<Layout> leaf = Chunk<Layout>(nullptr);
};

} // namespace heddle::graph::cblist

#endif
