//===- UpdatePlan.h - The plan for the updates of a row --------*- C++ -*-===//
//
// Decides how a batch updates a row, and bounds the memory that this may take.
// Both are pure functions of the numbers of updates and edges.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_CBLIST_UPDATEPLAN_H
#define HEDDLE_GRAPH_DETAIL_CBLIST_UPDATEPLAN_H

#include "heddle/graph/detail/cblist/Pieces.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace heddle::graph::cblist {

/// The numbers of updates that a row gets, by kind.
struct Tally {
  std::uint32_t adds, deletes;
  std::size_t all;
};

template <typename Layout> class UpdatePlan {
public:
  /// Whether the updates of a row are merged with it, in one pass over the row.
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

  /// An upper bound of the lines that the updates of a row take, not counting
  /// lines that they give back.
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

  /// An upper bound of the lines that one update takes in a small batch, whose
  /// other updates may increase the height of the tree before.
  static std::size_t linesForPoint(const VertexRecord<Layout> &record) {
    constexpr std::size_t LevelsMore = 8;
    const std::size_t depth = record.isInline() ? 0 : record.depth();
    return std::max<std::size_t>(linesForOne(),
                                 Layout::linesWithBlock(Layout::NodeLines) +
                                     (depth + LevelsMore) * Layout::InnerLines);
  }

private:
  /// An upper bound of the lines that one update of a row without a tree takes.
  static std::size_t linesForOne() {
    constexpr std::size_t Chunk = Layout::linesWithBlock(Layout::ChunkLines);
    const RowPlan<Layout> tree(Layout::MostChunkEdges + 1);
    return std::max(Chunk, tree.pieces().template lines<Layout>());
  }

  /// An upper bound of the lines for splits. Each new piece of a level is
  /// inserted in the level above, where it may split a node. The first split
  /// may be of any node; the halves are split again only after they have
  /// received at least a quarter of what a node holds.
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
    // If the root has been split into several nodes, the levels above have at
    // most one node less.
    newNodes += added;
    // A root is replaced by a larger one up to twice before it is split.
    return newLeaves * Layout::linesWithBlock(Layout::NodeLines) +
           (newNodes + 1) * 3 * Layout::InnerLines;
  }
};

} // namespace heddle::graph::cblist

#endif
