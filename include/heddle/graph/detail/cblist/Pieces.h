//===- Pieces.h - The pieces that a row is made of -------------*- C++ -*-===//
//
// Computes how many chunks and inner nodes a row takes, and allocates all of
// them before the first is used. So rows are changed by code that cannot run
// out of memory.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_CBLIST_PIECES_H
#define HEDDLE_GRAPH_DETAIL_CBLIST_PIECES_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/cblist/LineStore.h"
#include "heddle/graph/detail/cblist/Record.h"

#include <array>
#include <cstddef>
#include <utility>

namespace heddle::graph::cblist {

/// The number of pieces of each kind. All chunks have the same size, and all
/// inner nodes but the root too.
struct PieceCount {
  std::size_t chunks = 0;
  unsigned chunkLines = 0;
  std::size_t inners = 0; ///< without the root
  unsigned rootLines = 0; ///< none if there is no root

  /// The number of lines, including the blocks of weights.
  template <typename Layout> std::size_t lines() const {
    return chunks * Layout::linesWithBlock(chunkLines) +
           inners * Layout::InnerLines + rootLines;
  }
};

/// The pieces of a row of `edges` edges that is written at once. The edges and
/// children of a tree are distributed evenly over its pieces, an eighth of
/// which stays free.
template <typename Layout> class RowPlan {
public:
  explicit RowPlan(std::size_t edges) : edges(edges) {
    if (isInline()) {
      count[0] = 0;
    } else if (edges <= Layout::MostChunkEdges) {
      count[0] = 1;
      pieceCount.chunkLines = Layout::linesFor(edges);
    } else {
      count[0] = divide(edges, Layout::MostLeafEdges);
      pieceCount.chunkLines = Layout::NodeLines;
      for (; count[height] > 1; ++height) {
        count[height + 1] = divide(count[height], Layout::MostChildren);
        pieceCount.inners += count[height + 1];
      }
      if (height != 0) {
        --pieceCount.inners;
        pieceCount.rootLines =
            Layout::rootLines(count[height - 1] + count[height - 1] / 8);
      }
      leafCount = count[0];
    }
    pieceCount.chunks = count[0];
    HEDDLE_ASSERT(height <= MostLevels &&
                  (count[0] == 0 || count[height] == 1));
  }

  const PieceCount &pieces() const { return pieceCount; }
  bool isInline() const { return edges <= Layout::InlineEdges; }
  bool isTree() const { return leafCount != 0; }
  std::size_t leaves() const { return leafCount; }

  /// The number of levels of inner nodes.
  unsigned levels() const { return height; }

  /// The number of edges of chunk `index`.
  std::size_t edgesOf(std::size_t index) const {
    HEDDLE_ASSERT(index < count[0]);
    return share(edges, count[0], index);
  }
  /// The number of children of inner node `index` of a level; 0 is the lowest.
  std::size_t childrenOf(unsigned level, std::size_t index) const {
    HEDDLE_ASSERT(level < height && index < count[level + 1]);
    return share(count[level], count[level + 1], index);
  }

private:
  static std::size_t divide(std::size_t size, std::size_t most) {
    const std::size_t filled = most - most / 8;
    return (size + filled - 1) / filled;
  }
  static std::size_t share(std::size_t size, std::size_t parts,
                           std::size_t index) {
    return size / parts + (index < size % parts);
  }

  const std::size_t edges;
  /// Leaves, and inner nodes of each level, up to the root.
  std::array<std::size_t, MostLevels + 1> count;
  unsigned height = 0;
  std::size_t leafCount = 0;
  PieceCount pieceCount;
};

/// Pieces that were allocated from a store, to be used one by one. The
/// destructor gives back the pieces that were not used.
template <typename Layout> class PieceSupply {
public:
  /// Throws std::bad_alloc.
  PieceSupply(LineStore &store, const PieceCount &count)
      : store(store), chunkLines(count.chunkLines), rootLines(count.rootLines) {
    try {
      for (std::size_t i = 0; i < count.chunks; ++i) {
        push(chunks, store.take(chunkLines));
        if (Layout::WeightsBeside)
          push(blocks, store.take(Layout::blockLines(chunkLines)));
      }
      for (std::size_t i = 0; i < count.inners; ++i)
        push(inners, store.take(Layout::InnerLines));
      if (rootLines != 0)
        rootLine = store.take(rootLines);
    } catch (...) {
      giveBack();
      throw;
    }
  }
  ~PieceSupply() { giveBack(); }
  PieceSupply(const PieceSupply &) = delete;
  PieceSupply &operator=(const PieceSupply &) = delete;

  Line *chunk(unsigned) { return pop(chunks); }
  Line *inner() { return pop(inners); }
  Line *root() { return std::exchange(rootLine, nullptr); }
  Line *block(unsigned) {
    return Layout::WeightsBeside ? pop(blocks) : nullptr;
  }

private:
  static Line *&link(Line *piece) { return *reinterpret_cast<Line **>(piece); }
  static void push(Line *&list, Line *piece) {
    link(piece) = std::exchange(list, piece);
  }
  static Line *pop(Line *&list) {
    HEDDLE_ASSERT(list);
    return std::exchange(list, link(list));
  }

  void giveBack() {
    while (chunks)
      store.give(pop(chunks), chunkLines);
    while (blocks)
      store.give(pop(blocks), Layout::blockLines(chunkLines));
    while (inners)
      store.give(pop(inners), Layout::InnerLines);
    if (rootLine)
      store.give(rootLine, rootLines);
  }

  LineStore &store;
  const unsigned chunkLines, rootLines;
  Line *chunks = nullptr, *blocks = nullptr, *inners = nullptr;
  Line *rootLine = nullptr;
};

/// Gives back a chunk and its block of weights.
template <typename Layout>
void giveChunk(LineStore &store, Chunk<Layout> chunk) {
  const unsigned lines = chunk.header().lines();
  if constexpr (Layout::WeightsBeside)
    store.give(chunk.block(), Layout::blockLines(lines));
  store.give(chunk.line(), lines);
}

/// Gives back all pieces that `root` leads to.
template <typename Layout> void givePieces(LineStore &store, Line *root) {
  if (!Piece(root).isInner()) {
    giveChunk(store, Chunk<Layout>(root));
    return;
  }
  const InnerNode<Layout> node(root);
  const unsigned children = node.count();
  HEDDLE_ASSERT(children >= 2);
  for (unsigned i = 0; i < children; ++i)
    givePieces<Layout>(store, node.children()[i]);
  store.give(root, node.header().lines());
}

/// Writes the row of a plan, in ascending order. `Supply` provides the pieces,
/// as PieceSupply does.
template <typename Layout, typename Supply> class RowWriter {
public:
  using VertexId = typename Layout::VertexId;
  using Weight = typename Layout::Weight;

  RowWriter(const RowPlan<Layout> &plan, Supply &supply)
      : plan(plan), supply(supply), slots(row.slots()),
        room(plan.isInline() ? Layout::InlineEdges : 0) {
    for (unsigned level = 0; level < plan.levels(); ++level)
      nodes[level].index = nodes[level].room = 0;
  }
  RowWriter(const RowWriter &) = delete;
  RowWriter &operator=(const RowWriter &) = delete;

  void append(VertexId target, Weight weight) {
    if (room == 0)
      startChunk(target);
    HEDDLE_ASSERT(filled == 0 || slots.targets[filled - 1] < target);
    slots.targets[filled] = target;
    slots.setWeight(filled, weight);
    ++filled;
    --room;
  }

  /// After the last edge.
  const RowBody<Layout> &finish() {
    if (chunks != 0)
      closeChunk(nullptr);
    HEDDLE_ASSERT(chunks == plan.pieces().chunks &&
                  (room == 0 || plan.isInline()));
    return row;
  }

private:
  void startChunk(VertexId target) {
    HEDDLE_ASSERT(chunks < plan.pieces().chunks);
    const unsigned lines = plan.pieces().chunkLines;
    Line *const line = supply.chunk(lines);
    if (chunks == 0) {
      row.setPieces(line, line, lines, 0);
    } else {
      closeChunk(line);
    }
    chunk = Chunk<Layout>::make(line, plan.isTree() ? Kind::Leaf : Kind::Small,
                                lines, supply.block(lines));
    slots = chunk.slots();
    filled = 0;
    room = plan.edgesOf(chunks++);
    if (plan.levels() != 0)
      addChild(0, target, line);
  }

  void closeChunk(Line *next) {
    chunk.setHeader(chunk.header().withCount(filled).withNext(next));
  }

  void addChild(unsigned level, VertexId separator, Line *child) {
    OpenNode &open = nodes[level];
    if (open.room == 0) {
      const bool isRoot = level + 1 == plan.levels();
      const unsigned lines =
          isRoot ? plan.pieces().rootLines : Layout::InnerLines;
      open.line = isRoot ? supply.root() : supply.inner();
      InnerNode<Layout>::make(open.line, lines);
      open.room = plan.childrenOf(level, open.index++);
      if (isRoot)
        row.setPieces(row.first(), open.line, lines, plan.levels());
      else
        addChild(level + 1, separator, open.line);
    }
    HEDDLE_ASSERT(open.room > 0);
    InnerNode<Layout> node(open.line);
    node.insert(node.count(), separator, child);
    --open.room;
  }

  /// The inner node of a level to which the next child is added.
  struct OpenNode {
    Line *line;
    std::size_t index, room;
  };

  const RowPlan<Layout> &plan;
  Supply &supply;
  RowBody<Layout> row;
  Slots<VertexId, Weight> slots; ///< to which the next edge is written
  Chunk<Layout> chunk = Chunk<Layout>(nullptr);
  unsigned filled = 0;
  std::size_t room, chunks = 0;
  std::array<OpenNode, MostLevels> nodes; ///< one per level of the plan
};

} // namespace heddle::graph::cblist

#endif
