//===- ChunkScan.h - Reads the edges that messages need --------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_DETAIL_OOC_MESSAGES_CHUNKSCAN_H
#define HEDDLE_GRAPH_DETAIL_OOC_MESSAGES_CHUNKSCAN_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/ooc/disk/CheckedFile.h"
#include "heddle/graph/detail/ooc/edges/FarFile.h"
#include "heddle/graph/detail/ooc/edges/SoughtEdges.h"
#include "heddle/graph/detail/ooc/messages/Messages.h"
#include "heddle/graph/ooc/Layout.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace heddle::graph::ooc {

/// Blocks of sources with their edges, or some of the edges of one block, in
/// memory.
///
/// If few vertices of a block have sent messages, only their edges are sought.
/// The sources are these vertices then; gaps between their edges belong to a
/// source SourceBlockVertices, which has sent no message.
struct ChunkPiece {
  enum class Kind : std::uint8_t {
    Blocks,
    Rows, ///< the edges of sought vertices, copied next to each other
    Row   ///< edges of one sought vertex with many edges, read by themselves
  };

  std::size_t partition = 0; ///< of the sources
  std::size_t block = 0;     ///< the first
  std::size_t blockEnd = 0;  ///< behind the last
  std::uint32_t sourceBegin = 0, sourceEnd = 0;
  std::uint32_t edgeBegin = 0, edgeEnd = 0;
  bool continuesBlock = false; ///< has more edges of the block before
  Kind kind = Kind::Blocks;
  std::size_t soughtBegin = 0, soughtEnd = 0; ///< among all sought vertices

  bool isSought() const { return kind != Kind::Blocks; }

  // Sources, from sourceBegin on:
  const std::uint16_t *sources = nullptr;
  const std::uint32_t *begins = nullptr;
  // Edges, from edgeBegin on:
  const std::byte *targets = nullptr;
  const std::byte *weights = nullptr;
};

/// The beginnings of the blocks of sources in the chunks of a rank.
struct SourceIndex {
  std::vector<std::vector<SourceBlock>> ofChunks; ///< per batch and partition
  /// Per group of batches and partition.
  std::vector<std::vector<SourceBlock>> ofDispatching;

  /// The number of sources of a block.
  static std::uint32_t sources(const std::vector<SourceBlock> &starts,
                               std::size_t block) {
    HEDDLE_ASSERT(starts.empty() || block + 1 < starts.size());
    return starts.empty() ? 0 : starts[block + 1].source - starts[block].source;
  }
};

/// The cost of seeking the edges of a vertex, as the number of contiguous bytes
/// that are read in the same time. That is the gamma of section 4.1, in bytes.
struct SeekCost {
  std::uint64_t onDisk = std::uint64_t(1) << 14;
  /// The cost for the processor, instead of a pass over all sources.
  static constexpr std::uint64_t InMemory = 512;

  /// Measures the cost on the device of a file.
  static SeekCost measure(const CheckedFile &file);

  /// Whether to seek the edges of `messages` vertices costs less than to read
  /// `bytes` of edges and sources. Each vertex takes two seeks: one for its
  /// row, one for its edges.
  static bool isLess(std::uint64_t messages, std::uint64_t seekBytes,
                     std::uint64_t bytes) {
    return 2 * messages * seekBytes < bytes;
  }
};

/// The buffers in which a ChunkScan reads pieces ahead.
struct PieceBuffers {
  std::uint64_t targetBytes = sizeof(std::uint32_t), weightBytes = 0;
  std::size_t count = 4;

  /// The buffers of one of `threads` threads that share a budget. There are
  /// fewer buffers if many would take too much of it.
  static PieceBuffers within(std::uint64_t budgetBytes, std::size_t threads,
                             std::uint64_t targetBytes, WeightKind weights);

  /// The size of a piece, at most.
  std::size_t pieceBytes() const;
  /// The size of all buffers.
  std::size_t bytes() const;
};

struct BlockRanges;

/// Reads the parts of a batch's chunks that messages need, some pieces ahead.
/// For each block of sources it chooses what costs less (section 4.1): to read
/// all edges (DCSR), or to seek those of the vertices that have sent messages
/// (CSR). Used by one thread.
class ChunkScan {
public:
  /// The maximal piece is large enough to use the bandwidth of the device.
  static constexpr std::uint32_t PieceEdges = std::uint32_t(1) << 18;
  static constexpr std::uint32_t PieceSources = 2 * SourceBlockVertices;
  /// Gaps between needed blocks are read if they have at most this number of
  /// edges.
  static constexpr std::uint32_t GapEdges = std::uint32_t(1) << 14;
  /// The edges of a vertex with more are read as pieces of their own.
  static constexpr std::uint32_t SeekEdges = 2048;

  /// Reads weights if `buffers` have room for them.
  ChunkScan(const GraphLayout &layout, const Share &share,
            const PieceBuffers &buffers, std::deque<CheckedFile> &files,
            std::deque<FarFile> &farFiles, const SourceIndex &index,
            const SeekCost &seekCost, IoQueue &queue, KeptBytes &keptBytes);

  /// Begins to read the edges from these partitions to a batch that the
  /// messages need. Returns whether there are any. Throws Error if they cannot
  /// be read.
  bool begin(std::size_t batch, std::span<const std::size_t> partitions,
             const BatchMessages &messages);

  /// Begins to scan one block of the dispatching graph from a partition to a
  /// group of batches. Its targets are bytes: the indices of batches in the
  /// group.
  bool beginDispatching(std::size_t group, std::size_t partition,
                        std::size_t block, const BatchMessages &messages);

  /// The pieces that next() will return, without their memory.
  std::span<const ChunkPiece> plannedPieces() const { return pieces; }

  /// The next piece, valid until the next call, or null after the last. Throws
  /// Error if it cannot be read.
  const ChunkPiece *next();

  /// Throws an Error that names the chunk or dispatching graph of the current
  /// piece, which is not as expected.
  [[noreturn]] void failAsDamaged(const std::string &expected) const;

  /// The bytes of memory that a ChunkScan takes.
  static std::size_t bytes(const PieceBuffers &buffers);

private:
  using SoughtBlocks = std::vector<std::pair<std::size_t, std::size_t>>;

  /// The chunks to a batch, or the dispatching graphs to a group.
  struct Column {
    std::size_t number; ///< of the batch or group
    bool isOfGroup;
  };

  bool begin(const Column &newColumn, std::span<const std::size_t> partitions,
             std::optional<std::size_t> block, const BatchMessages &messages);
  bool isUsed(std::size_t partition, std::size_t block,
              const BatchMessages &messages) const;
  void chooseSought(std::size_t partition, const BatchMessages &messages,
                    std::size_t firstBlock, std::size_t endBlock);
  bool isSought(std::size_t partition, std::size_t block,
                const MessageBlock &messages) const;
  BlockRanges rangesOf(std::size_t partition, std::size_t block) const;
  void keepRows();
  void findRows(const BatchMessages &messages);
  void plan(std::size_t partition, const BatchMessages &messages,
            std::size_t firstBlock, std::size_t endBlock,
            SoughtBlocks::const_iterator &nextSought, std::size_t &vertex);
  void addEdges(ChunkPiece &piece, std::uint32_t begin, std::uint32_t end);
  void addSought(std::size_t partition, std::size_t block, std::size_t begin,
                 std::size_t end);
  void copyRows();
  void addCopied(ChunkPiece &piece);
  void readAhead();
  void keepIndex(const ChunkPiece &piece);
  void check(const ChunkPiece &piece) const;

  /// The index of the file with the chunks.
  std::size_t place() const {
    return (column.isOfGroup ? layout.groups[column.number].partition
                             : layout.partitionOf[column.number]) -
           firstPartition;
  }
  CheckedFile &file() const { return files[place()]; }
  FarFile &farFile() const { return farFiles[place()]; }
  const std::vector<SourceBlock> &startsOf(std::size_t partition) const {
    return (
        column.isOfGroup
            ? index.ofDispatching
            : index.ofChunks)[column.number * layout.partitions() + partition];
  }
  const Chunk &chunkOf(std::size_t partition) const {
    return column.isOfGroup ? layout.dispatchingGraph(partition, column.number)
                            : layout.chunk(partition, column.number);
  }
  ChunkPlaces placesOf(std::size_t partition) const {
    return column.isOfGroup
               ? layout.placesOfDispatching(partition, chunkOf(partition))
               : layout.places(partition, chunkOf(partition));
  }
  std::uint64_t targetBytes() const {
    return column.isOfGroup ? 1 : layout.targetBytes();
  }
  std::uint64_t weightBytes() const {
    return column.isOfGroup ? 0 : bytesOfWeight;
  }

  const GraphLayout &layout;
  const std::size_t firstPartition;
  const std::uint64_t bytesOfWeight;
  std::deque<CheckedFile> &files;
  std::deque<FarFile> &farFiles;
  const SourceIndex &index;
  const SeekCost &seekCost;
  const KeptBytes &keptBytes;
  RangeReader reader;
  SoughtEdges soughtEdges;
  Column column = {};
  std::vector<ChunkPiece> pieces;
  std::size_t current = 0, requested = 0;
  std::vector<std::uint16_t> blockSources; ///< of a block in several pieces
  std::vector<std::uint32_t> blockBegins;
  /// The blocks that contain sought edges, by partition and number, and the
  /// vertices of these edges.
  SoughtBlocks soughtBlocks;
  std::vector<SoughtVertex> sought;
  std::size_t copied = 0; ///< the first piece whose rows are not copied yet
  std::vector<std::uint16_t> copiedSources;
  std::vector<std::uint32_t> copiedBegins;
};

} // namespace heddle::graph::ooc

#endif
