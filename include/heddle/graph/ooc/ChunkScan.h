//===- ChunkScan.h - The edges that messages go along ----------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_OOC_CHUNKSCAN_H
#define HEDDLE_GRAPH_OOC_CHUNKSCAN_H

#include "heddle/graph/ooc/CheckedFile.h"
#include "heddle/graph/ooc/Layout.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace heddle::graph::ooc {

/// Blocks of sources and their edges, or some of the edges of one block, as
/// they lie in memory.
struct ChunkPiece {
  std::size_t partition = 0; ///< of the sources
  std::size_t block = 0;     ///< the first
  std::size_t blockEnd = 0;  ///< behind the last
  std::uint32_t sourceBegin = 0, sourceEnd = 0;
  std::uint32_t edgeBegin = 0, edgeEnd = 0;
  bool continuesBlock = false; ///< has more edges of the block before

  const std::uint16_t *sources = nullptr; ///< that of sourceBegin
  const std::uint32_t *begins = nullptr;  ///< that of sourceBegin
  const std::uint32_t *targets = nullptr; ///< that of edgeBegin
  const std::byte *weights = nullptr;     ///< that of edgeBegin
};

/// Reads of the chunks of batches what messages need, some pieces ahead of who
/// uses them. Of one thread.
class ChunkScan {
public:
  /// What a piece has at most: enough for the device to be busy with it.
  static constexpr std::uint32_t PieceEdges = std::uint32_t(1) << 18;
  static constexpr std::uint32_t PieceSources = 2 * SourceBlockVertices;
  /// A gap of so many edges is read rather than left out.
  static constexpr std::uint32_t GapEdges = std::uint32_t(1) << 14;

  /// Of weights, it reads those of the kind `weights` or none.
  ChunkScan(const GraphLayout &layout, const Share &share, WeightKind weights,
            std::deque<CheckedFile> &files,
            const std::vector<std::vector<SourceBlock>> &blocks, IoQueue &queue,
            KeptBytes &keptBytes);

  /// Decides what of the chunks from these partitions to a batch is read;
  /// `hasMessages` says for each partition which of its blocks of vertices have
  /// messages. Returns whether that is anything, and begins to read it.
  bool begin(std::size_t batch, std::span<const std::size_t> partitions,
             std::span<const std::vector<std::uint8_t>> hasMessages);

  /// What next() will return, without the memory.
  std::span<const ChunkPiece> plannedPieces() const { return pieces; }

  /// The next piece, valid until the next call; nothing after the last. Throws
  /// Error if it cannot be read.
  const ChunkPiece *next();

  /// Bytes of memory that one of these takes.
  static std::size_t bytes(WeightKind weights);

private:
  void plan(std::size_t partition, const std::vector<std::uint8_t> &messages);
  void addBlocks(std::size_t partition, std::size_t first, std::size_t end);
  void readAhead();
  void keepIndex(ChunkPiece &piece);

  const GraphLayout &layout;
  const std::size_t firstPartition;
  const std::uint64_t weightBytes;
  std::deque<CheckedFile> &files;
  const std::vector<std::vector<SourceBlock>> &blocks; ///< per chunk
  RangeReader reader;
  std::size_t batch = 0;
  std::vector<ChunkPiece> pieces;
  std::size_t current = 0, requested = 0;
  std::vector<std::uint16_t> blockSources; ///< of a block in several pieces
  std::vector<std::uint32_t> blockBegins;
};

} // namespace heddle::graph::ooc

#endif
