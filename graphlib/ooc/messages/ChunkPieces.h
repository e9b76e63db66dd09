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
#include <vector>

namespace heddle::graph::ooc {

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
inline RangeReader::Ranges rangesOf(const ChunkPiece &piece,
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
