//===- TreeEditor.h - Splits and merges ------------------------*- C++ -*-===//
//
// Splits and merges in the B+ tree of one vertex. A split keeps the lower half
// in place, and a merge keeps the left one of two nodes, so the first leaf, to
// which the vertex record links, stays as long as the tree. A root begins with
// one cache line and grows before it is split.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_CBLIST_TREEEDITOR_H
#define HEDDLE_GRAPH_DETAIL_CBLIST_TREEEDITOR_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/cblist/Pieces.h"
#include "heddle/graph/detail/cblist/Rows.h"

#include <array>

namespace heddle::graph::cblist {

/// Changes the tree of one vertex; the caller must hold its lock or have
/// exclusive access. Does not change the number of edges in the record.
template <typename Layout> class TreeEditor {
public:
  using VertexId = typename Layout::VertexId;
  using Weight = typename Layout::Weight;
  using Record = VertexRecord<Layout>;

  TreeEditor(LineStore &store, Record &record) : store(store), record(record) {}

  /// Inserts an edge that does not exist into a leaf that is full. Throws
  /// std::bad_alloc and has then changed nothing.
  void insertIntoFullLeaf(VertexId target, Weight weight) {
    descend(target);
    HEDDLE_ASSERT(leaf.count() == Layout::MostLeafEdges);
    std::size_t fullNodes = 0;
    while (fullNodes < depth && step(fullNodes).node.isFull())
      ++fullNodes;
    PieceCount pieces = {
        .chunks = 1, .chunkLines = Layout::NodeLines, .inners = fullNodes};
    if (fullNodes == depth) {
      const bool splitsRoot =
          depth == 0 || rootChildren() == Layout::MostChildren;
      pieces.rootLines = Layout::rootLines(splitsRoot ? 2 : rootChildren() + 1);
      if (!splitsRoot)
        --pieces.inners;
    }
    PieceSupply<Layout> supply(store, pieces);
    const Chunk<Layout> right = splitLeaf(target, weight, supply);
    record.setLevel(record.level() + 1);
    insertChild(right.targets()[0], right.line(), supply, pieces.rootLines);
  }

  /// Merges or refills the leaf that would have `target` if it has too few
  /// edges after an erasure.
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
      record.setRoot(root.children()[0],
                     depth == 1 ? Layout::NodeLines : Layout::InnerLines,
                     depth - 1);
      store.give(root.line(), root.header().lines());
    }
    HEDDLE_ASSERT(record.depth() == 0 ||
                  InnerNode<Layout>(record.root()).count() >= 2);
  }

private:
  struct Step {
    InnerNode<Layout> node = InnerNode<Layout>(nullptr);
    unsigned child = 0; ///< the next one on the path
  };

  /// The inner node that is `above` levels above the leaf's parent.
  Step &step(std::size_t above) { return path[depth - 1 - above]; }

  unsigned rootChildren() { return step(depth - 1).node.count(); }

  void descend(VertexId target) {
    Line *node = record.root();
    depth = record.depth();
    HEDDLE_ASSERT(depth < MostLevels);
    for (unsigned level = 0; level < depth; ++level) {
      const InnerNode<Layout> inner(node);
      path[level] = {inner, inner.childFor(target)};
      node = inner.children()[path[level].child];
    }
    leaf = Chunk<Layout>(node);
    HEDDLE_ASSERT(leaf.header().kind() == Kind::Leaf);
  }

  /// The number of elements on the left of a split of `size` elements and a new
  /// one at `position`. A piece that grows at its end will probably continue to
  /// do so: the left piece is then left fuller.
  static unsigned leftShare(unsigned size, unsigned position,
                            unsigned fewestRight) {
    if (position == size)
      return size + 1 - std::max(size / 4 + 1, fewestRight);
    return (size + 1) / 2;
  }

  template <typename Supply>
  Chunk<Layout> splitLeaf(VertexId target, Weight weight, Supply &supply) {
    constexpr unsigned Lines = Layout::NodeLines;
    Chunk<Layout> right = Chunk<Layout>::make(supply.chunk(Lines), Kind::Leaf,
                                              Lines, supply.block(Lines));
    const unsigned size = leaf.count();
    const unsigned position = leaf.slots().position(size, target);
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
    HEDDLE_ASSERT(leaf.count() >= Layout::FewestLeafEdges &&
                  right.count() >= Layout::FewestLeafEdges &&
                  precedes(leaf, right));
    return right;
  }

  /// Inserts a child behind the one on the path, and splits full nodes.
  /// `rootLines` is the size of the new root, if there will be one.
  template <typename Supply>
  void insertChild(VertexId separator, Line *child, Supply &supply,
                   unsigned rootLines) {
    for (unsigned above = 0; above < depth; ++above) {
      InnerNode<Layout> node = step(above).node;
      const unsigned position = step(above).child + 1;
      if (node.isFull() && node.count() < Layout::MostChildren)
        node = enlargeRoot(node, supply.root(), rootLines);
      if (!node.isFull()) {
        node.insert(position, separator, child);
        return;
      }
      child = splitNode(node, position, separator, child, supply.inner());
      separator = InnerNode<Layout>(child).separators()[0];
    }
    auto root = InnerNode<Layout>::make(supply.root(), rootLines);
    root.insert(0, 0, record.root());
    root.insert(1, separator, child);
    record.setRoot(root.line(), rootLines, depth + 1);
  }

  InnerNode<Layout> enlargeRoot(InnerNode<Layout> root, Line *line,
                                unsigned lines) {
    auto larger = InnerNode<Layout>::make(line, lines);
    InnerNode<Layout>::moveChildren(larger, 0, root, 0, root.count());
    larger.setCount(root.count());
    store.give(root.line(), root.header().lines());
    record.setRoot(line, lines, depth);
    return larger;
  }

  /// Returns the new right half.
  static Line *splitNode(InnerNode<Layout> node, unsigned position,
                         VertexId separator, Line *child, Line *line) {
    auto right = InnerNode<Layout>::make(line, Layout::InnerLines);
    const unsigned size = node.count();
    const unsigned left = leftShare(size, position, Layout::FewestChildren);
    const bool goesLeft = position < left;
    const unsigned kept = left - goesLeft;
    InnerNode<Layout>::moveChildren(right, 0, node, kept, size - kept);
    right.setCount(size - kept);
    node.setCount(kept);
    if (goesLeft)
      node.insert(position, separator, child);
    else
      right.insert(position - kept, separator, child);
    HEDDLE_ASSERT(node.count() >= Layout::FewestChildren &&
                  right.count() >= Layout::FewestChildren);
    return line;
  }

  /// Whether all targets of a leaf are below those of another.
  static bool precedes(Chunk<Layout> left, Chunk<Layout> right) {
    return left.count() == 0 || right.count() == 0 ||
           left.targets()[left.count() - 1] < right.targets()[0];
  }

  /// Merges the leaf with a neighbour and returns true, or balances the two and
  /// returns false.
  bool joinLeaves() {
    const Step &parent = step(0);
    InnerNode<Layout> node = parent.node;
    HEDDLE_ASSERT(node.count() >= 2 && parent.child < node.count());
    const unsigned second = std::max(parent.child, 1u);
    Chunk<Layout> left(node.children()[second - 1]);
    Chunk<Layout> right(node.children()[second]);
    const unsigned leftSize = left.count(), rightSize = right.count();
    const unsigned size = leftSize + rightSize;
    HEDDLE_ASSERT(left.next().line() == right.line() && precedes(left, right));
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
    HEDDLE_ASSERT(precedes(left, right));
    node.separators()[second] = right.targets()[0];
    return false;
  }

  /// Joins the child of `parent` on the path, an inner node, with a neighbour,
  /// or balances the two if they do not fit in one. Returns whether they were
  /// joined.
  bool joinNodes(const Step &parent) {
    using Node = InnerNode<Layout>;
    Node node = parent.node;
    const unsigned second = std::max(parent.child, 1u);
    Node left(node.children()[second - 1]), right(node.children()[second]);
    const unsigned leftSize = left.count(), rightSize = right.count();
    const unsigned size = leftSize + rightSize;
    // The first separator of a node is not maintained; its parent's is.
    right.separators()[0] = node.separators()[second];
    if (size <= Layout::MostChildren) {
      Node::moveChildren(left, leftSize, right, 0, rightSize);
      left.setCount(size);
      store.give(right.line(), Layout::InnerLines);
      node.erase(second);
      return true;
    }
    const unsigned share = size / 2;
    if (leftSize < share) {
      const unsigned moved = share - leftSize;
      Node::moveChildren(left, leftSize, right, 0, moved);
      left.setCount(share);
      Node::moveChildren(right, 0, right, moved, rightSize - moved);
      right.setCount(rightSize - moved);
    } else {
      const unsigned moved = leftSize - share;
      Node::moveChildren(right, moved, right, 0, rightSize);
      Node::moveChildren(right, 0, left, share, moved);
      right.setCount(size - share);
      left.setCount(share);
    }
    HEDDLE_ASSERT(left.count() + right.count() == size &&
                  left.count() >= Layout::FewestChildren &&
                  right.count() >= Layout::FewestChildren);
    node.separators()[second] = right.separators()[0];
    return false;
  }

  LineStore &store;
  Record &record;
  std::array<Step, MostLevels> path;
  unsigned depth = 0;
  Chunk<Layout> leaf = Chunk<Layout>(nullptr);
};

} // namespace heddle::graph::cblist

#endif
