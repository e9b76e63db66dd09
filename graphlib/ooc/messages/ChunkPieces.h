//===- ChunkPieces.h - Which parts of chunks are read together --*- C++ -*-===//
//
// Shared by the code that reads chunks and the code that predicts the reads.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_OOC_MESSAGES_CHUNKPIECES_H
#define HEDDLE_GRAPHLIB_OOC_MESSAGES_CHUNKPIECES_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/ooc/messages/ChunkScan.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace heddle::graph::ooc {

inline std::uint64_t verticesOfBlock(const GraphLayout &layout,
                                     std::size_t partition, std::size_t block) {
  return std::min(SourceBlockVertices, layout.partitionSize(partition) -
                                           block * SourceBlockVertices);
}

/// Whether the sources of a block ascend and are below `vertices`.
inline bool areSources(std::span<const std::uint16_t> sources,
                       std::uint64_t vertices) {
  bool ascend = true;
  for (std::size_t i = 1; i < sources.size(); ++i)
    ascend &= sources[i - 1] < sources[i];
  return ascend && (sources.empty() || sources.back() < vertices);
}

/// The place where a chunk or dispatching graph lists the begins of its blocks.
struct IndexedChunk {
  bool isDispatching;
  std::size_t number; ///< among all of them
  std::size_t file;   ///< among those of the rank
  FileRange starts;   ///< SourceBlocks
};

/// Calls `visit` with the chunks and dispatching graphs of a rank that have
/// edges.
template <typename Visit>
void forEachIndexed(const GraphLayout &layout, const Share &share,
                    Visit visit) {
  const std::size_t partitions = layout.partitions();
  const auto bytesFrom = [&](std::size_t part) {
    return (layout.sourceBlocks(part) + 1) * sizeof(SourceBlock);
  };
  for (std::size_t batch = share.firstBatch; batch < share.endBatch; ++batch)
    for (std::size_t part = 0; part < partitions; ++part)
      if (const Chunk &chunk = layout.chunk(part, batch); chunk.edges > 0)
        visit(
            IndexedChunk{false,
                         batch * partitions + part,
                         layout.partitionOf[batch] - share.firstPartition,
                         {layout.places(part, chunk).blocks, bytesFrom(part)}});
  for (std::size_t group = 0; group < layout.groups.size(); ++group)
    if (const std::size_t to = layout.groups[group].partition;
        to >= share.firstPartition && to < share.endPartition)
      for (std::size_t part = 0; part < partitions; ++part)
        if (const Chunk &graph = layout.dispatchingGraph(part, group);
            graph.edges > 0)
          visit(IndexedChunk{true,
                             group * partitions + part,
                             to - share.firstPartition,
                             {layout.placesOfDispatching(part, graph).blocks,
                              bytesFrom(part)}});
}

/// The ranges of a file that belong to a block of vertices.
struct BlockRanges {
  FileRange rows; ///< and the end of the last one
  FileRange targets, weights;
  std::uint64_t bytes = 0; ///< of edges and sources, without rows
};

inline BlockRanges rangesOfBlock(const GraphLayout &layout,
                                 std::size_t partition, std::size_t block,
                                 const std::vector<SourceBlock> &starts,
                                 const ChunkPlaces &places,
                                 std::uint64_t targetBytes,
                                 std::uint64_t weightBytes) {
  constexpr std::uint64_t RowBytes = sizeof(std::uint32_t);
  const SourceBlock &begin = starts[block], &end = starts[block + 1];
  const std::uint64_t edges = end.edge - begin.edge;
  return {.rows = {places.rows + block * SourceBlockVertices * RowBytes,
                   (verticesOfBlock(layout, partition, block) + 1) * RowBytes},
          .targets = {places.targets + begin.edge * targetBytes,
                      edges * targetBytes},
          .weights = {places.weights + begin.edge * weightBytes,
                      edges * weightBytes},
          .bytes = edges * (targetBytes + weightBytes) +
                   (end.source - begin.source) *
                       (sizeof(std::uint16_t) + sizeof(std::uint32_t))};
}

/// Returns whether the edges of the vertices that have sent messages are
/// sought, instead of reading the whole block. While there is room to keep the
/// block in memory, reading it is better.
template <typename IsKept>
bool isSeekingLess(const BlockRanges &block, std::uint64_t messages,
                   std::uint64_t seekBytes, bool hasRoom, IsKept isKept) {
  if (!SeekCost::isLess(messages, SeekCost::InMemory, block.bytes))
    return false;
  if (isKept(block.targets) && (hasRoom || isKept(block.rows)))
    return true;
  return !hasRoom && SeekCost::isLess(messages, seekBytes, block.bytes);
}

/// Joins adjacent blocks into pieces, and cuts those that are too long.
class PieceCutter {
public:
  PieceCutter(std::size_t partition, const std::vector<SourceBlock> &starts,
              std::vector<ChunkPiece> &pieces)
      : partition(partition), starts(starts), pieces(pieces) {}

  /// Adds a block, all of which is needed, behind the others.
  void add(std::size_t block) {
    HEDDLE_ASSERT(block >= end && block + 1 < starts.size());
    const bool isFull = edgesOf(first, block + 1) > ChunkScan::PieceEdges ||
                        starts[block + 1].source - starts[first].source >
                            ChunkScan::PieceSources;
    if (first == end || isFull || edgesOf(end, block) > ChunkScan::GapEdges) {
      cut();
      first = block;
    }
    end = block + 1;
  }

  /// Ends the current piece.
  void cut() {
    if (first == end)
      return;
    ChunkPiece piece = {.partition = partition,
                        .block = first,
                        .blockEnd = end,
                        .sourceBegin = starts[first].source,
                        .sourceEnd = starts[end].source,
                        .edgeBegin = starts[first].edge};
    while (piece.edgeBegin < starts[end].edge) {
      piece.edgeEnd =
          piece.edgeBegin +
          std::min(ChunkScan::PieceEdges, starts[end].edge - piece.edgeBegin);
      pieces.push_back(piece);
      piece.edgeBegin = piece.edgeEnd;
      piece.continuesBlock = true;
    }
    first = end = 0;
  }

private:
  std::uint32_t edgesOf(std::size_t begin, std::size_t last) const {
    return starts[last].edge - starts[begin].edge;
  }

  const std::size_t partition;
  const std::vector<SourceBlock> &starts;
  std::vector<ChunkPiece> &pieces;
  std::size_t first = 0, end = 0; ///< the blocks of the current piece
};

/// The ranges of a file that are read for a piece: targets, weights, sources,
/// and where the edges of each source begin.
inline RangeReader::Ranges rangesOfPiece(const ChunkPiece &piece,
                                         const ChunkPlaces &places,
                                         std::uint64_t targetBytes,
                                         std::uint64_t weightBytes) {
  HEDDLE_ASSERT(piece.edgeBegin <= piece.edgeEnd &&
                piece.sourceBegin <= piece.sourceEnd);
  const std::uint64_t edges = piece.edgeEnd - piece.edgeBegin;
  const std::uint64_t sources = piece.sourceEnd - piece.sourceBegin;
  const bool hasIndex = !piece.continuesBlock && !piece.isSought();
  return {FileRange{places.targets + piece.edgeBegin * targetBytes,
                    edges * targetBytes},
          FileRange{places.weights + piece.edgeBegin * weightBytes,
                    edges * weightBytes},
          FileRange{places.sources + piece.sourceBegin * sizeof(std::uint16_t),
                    hasIndex ? sources * sizeof(std::uint16_t) : 0},
          FileRange{places.begins + piece.sourceBegin * sizeof(std::uint32_t),
                    hasIndex ? (sources + 1) * sizeof(std::uint32_t) : 0}};
}

} // namespace heddle::graph::ooc

#endif
