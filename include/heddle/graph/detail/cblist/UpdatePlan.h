//===- UpdatePlan.h - How the updates of a row are done --------*- C++ -*-===//
//
// Decisions of a batch, and how much memory what follows from them may take:
// functions of how many updates and edges there are, and of nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_CBLIST_UPDATEPLAN_H
#define HEDDLE_GRAPH_DETAIL_CBLIST_UPDATEPLAN_H

#include "heddle/graph/detail/cblist/Pieces.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace heddle::graph::cblist {

/// How many updates of a kind a row gets.
struct Tally {
  std::uint32_t adds, deletes;
  std::size_t all;
};

template <typename Layout> class UpdatePlan {
public:
  /// Whether a group is done in one pass over the row.
  static bool isMerged(std::size_t size, std::size_t leaves,
                       const Tally &tally) {
    constexpr std::size_t FewInChunk = 6, ManyShare = 8;
    if (tally.all == 1 || (tally.adds == 0 && tally.deletes == 0))
      return false;
    if (leaves == 0)
      return tally.all > FewInChunk ||
             size + tally.adds > Layout::MostChunkEdges;
    return tally.all >= size / ManyShare ||
           size <= Layout::DemotedEdges + tally.deletes;
  }

  /// At most so many lines are taken for a group, whatever is given back.
  static std::size_t mostLines(std::size_t size, std::size_t leaves,
                               const Tally &tally, bool merged) {
    constexpr std::size_t Chunk = Layout::linesWithBlock(Layout::ChunkLines);
    if (tally.adds == 0 && tally.deletes == 0)
      return 0;
    if (leaves == 0 && tally.all == 1)
      return linesForOne();
    if (merged)
      return std::max(
          Chunk,
          RowPlan<Layout>(size + tally.adds).pieces().template lines<Layout>());
    if (leaves == 0)
      return (tally.adds + tally.deletes) * Chunk;
    return Chunk + mostLinesOfSplits(leaves, tally.adds);
  }

  /// At most so many lines are taken for one update of a row among few others,
  /// which may make its tree some levels higher.
  static std::size_t linesForPoint(const VertexRecord<Layout> &record) {
    constexpr std::size_t LevelsMore = 8;
    const std::size_t depth = record.isInline() ? 0 : record.depth();
    return std::max<std::size_t>(linesForOne(),
                                 Layout::linesWithBlock(Layout::NodeLines) +
                                     (depth + LevelsMore) * Layout::InnerLines);
  }

private:
  /// What becomes of a small row by one update.
  static std::size_t linesForOne() {
    constexpr std::size_t Chunk = Layout::linesWithBlock(Layout::ChunkLines);
    const RowPlan<Layout> tree(Layout::MostChunkEdges + 1);
    return std::max(Chunk, tree.pieces().template lines<Layout>());
  }

  /// Each new piece of a level is inserted in the one above and may split a
  /// node there: first one that was there before, then, after a quarter of what
  /// it holds, a part of one.
  static std::size_t mostLinesOfSplits(std::size_t leaves, std::size_t adds) {
    const auto splits = [](std::size_t pieces, std::size_t added,
                           std::size_t most) {
      return std::min(added, pieces + 4 * added / most + 1);
    };
    std::size_t added = splits(leaves, adds, Layout::MostLeafEdges);
    const std::size_t newLeaves = added;
    std::size_t nodes = leaves, newNodes = 0;
    while (nodes > 1) {
      nodes = std::max<std::size_t>(1, nodes / Layout::FewestChildren);
      added = splits(nodes, added, Layout::MostChildren);
      newNodes += added;
    }
    // Where the root has become several, there is at most one node less above.
    newNodes += added;
    // A root is replaced by larger ones up to twice before it is split.
    return newLeaves * Layout::linesWithBlock(Layout::NodeLines) +
           (newNodes + 1) * 3 * Layout::InnerLines;
  }
};

} // namespace heddle::graph::cblist

#endif
