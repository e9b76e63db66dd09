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
#include <concepts>

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
    if (!join<Chunk<Layout>>(step(0), Layout::MostLeafEdges))
      return;
    record.setLevel(record.level() - 1);
    for (unsigned above = 0; above + 1 < depth; ++above) {
      if (step(above).node.count() >= Layout::FewestChildren ||
          !join<InnerNode<Layout>>(step(above + 1), Layout::MostChildren))
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

  /// Moves the upper half of a full piece to `right`, a new one, and inserts
  /// what belongs at `position` into the half that it falls into.
  template <typename PieceType, typename... Inserted>
  static void split(PieceType left, PieceType right, unsigned position,
                    unsigned fewest, Inserted... inserted) {
    const unsigned size = left.count();
    const unsigned share = leftShare(size, position, fewest);
    const bool goesLeft = position < share;
    const unsigned kept = share - goesLeft;
    PieceType::move(right, 0, left, kept, size - kept);
    right.setCount(size - kept);
    left.setCount(kept);
    if (goesLeft)
      left.insert(position, inserted...);
    else
      right.insert(position - kept, inserted...);
    HEDDLE_ASSERT(left.count() >= fewest && right.count() >= fewest);
  }

  template <typename Supply>
  Chunk<Layout> splitLeaf(VertexId target, Weight weight, Supply &supply) {
    constexpr unsigned Lines = Layout::NodeLines;
    Chunk<Layout> right = Chunk<Layout>::make(supply.chunk(Lines), Kind::Leaf,
                                              Lines, supply.block(Lines));
    right.setNext(leaf.next());
    split(leaf, right, leaf.slots().position(leaf.count(), target),
          Layout::FewestLeafEdges, target, weight);
    leaf.setNext(right);
    HEDDLE_ASSERT(precedes(leaf, right));
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
      const auto right =
          InnerNode<Layout>::make(supply.inner(), Layout::InnerLines);
      split(node, right, position, Layout::FewestChildren, separator, child);
      child = right.line();
      separator = right.separators()[0];
    }
    auto root = InnerNode<Layout>::make(supply.root(), rootLines);
    root.insert(0, 0, record.root());
    root.insert(1, separator, child);
    record.setRoot(root.line(), rootLines, depth + 1);
  }

  InnerNode<Layout> enlargeRoot(InnerNode<Layout> root, Line *line,
                                unsigned lines) {
    auto larger = InnerNode<Layout>::make(line, lines);
    InnerNode<Layout>::move(larger, 0, root, 0, root.count());
    larger.setCount(root.count());
    store.give(root.line(), root.header().lines());
    record.setRoot(line, lines, depth);
    return larger;
  }

  /// Whether all targets of a leaf are below those of another.
  static bool precedes(Chunk<Layout> left, Chunk<Layout> right) {
    return left.count() == 0 || right.count() == 0 ||
           left.targets()[left.count() - 1] < right.targets()[0];
  }

  /// Merges the child of `parent` on the path, a `PieceType`, with a neighbour
  /// and returns true, or balances the two and returns false.
  template <typename PieceType> bool join(const Step &parent, unsigned most) {
    constexpr bool AreLeaves = std::same_as<PieceType, Chunk<Layout>>;
    InnerNode<Layout> node = parent.node;
    HEDDLE_ASSERT(node.count() >= 2 && parent.child < node.count());
    const unsigned second = std::max(parent.child, 1u);
    PieceType left(node.children()[second - 1]);
    PieceType right(node.children()[second]);
    const unsigned leftSize = left.count(), rightSize = right.count();
    const unsigned size = leftSize + rightSize, share = size / 2;
    if constexpr (AreLeaves)
      HEDDLE_ASSERT(left.next().line() == right.line() &&
                    precedes(left, right));
    else // The first separator of a node is not maintained; its parent's is.
      right.separators()[0] = node.separators()[second];
    if (size <= most) {
      PieceType::move(left, leftSize, right, 0, rightSize);
      left.setCount(size);
      if constexpr (AreLeaves) {
        left.setNext(right.next());
        giveChunk(store, right);
      } else {
        store.give(right.line(), Layout::InnerLines);
      }
      node.erase(second);
      return true;
    }
    if (leftSize < share) {
      const unsigned moved = share - leftSize;
      PieceType::move(left, leftSize, right, 0, moved);
      PieceType::move(right, 0, right, moved, rightSize - moved);
    } else {
      const unsigned moved = leftSize - share;
      PieceType::move(right, moved, right, 0, rightSize);
      PieceType::move(right, 0, left, share, moved);
    }
    left.setCount(share);
    right.setCount(size - share);
    HEDDLE_ASSERT(share >= most / 2 && size - share <= most);
    if constexpr (AreLeaves) {
      HEDDLE_ASSERT(precedes(left, right));
      node.separators()[second] = right.targets()[0];
    } else {
      node.separators()[second] = right.separators()[0];
    }
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
