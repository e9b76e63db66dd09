//===- ChunkScan.h - The edges that messages go along ----------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_DETAIL_OOC_MESSAGES_CHUNKSCAN_H
#define HEDDLE_GRAPH_DETAIL_OOC_MESSAGES_CHUNKSCAN_H

#include "heddle/graph/detail/ooc/disk/CheckedFile.h"
#include "heddle/graph/detail/ooc/edges/FarFile.h"
#include "heddle/graph/detail/ooc/edges/SoughtEdges.h"
#include "heddle/graph/detail/ooc/messages/Messages.h"
#include "heddle/graph/ooc/Layout.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <utility>
#include <vector>

namespace heddle::graph::ooc {

/// Blocks of sources and their edges, or some of the edges of one block, as
/// they lie in memory.
///
/// Of a block that few vertices have sent messages from, only their edges are
/// sought. Its sources are these then, and where something lies between their
/// edges, a source SourceBlockVertices, which has sent no message.
struct ChunkPiece {
  enum class Kind : std::uint8_t {
    Blocks,
    Rows, ///< of vertices that are sought, copied to where they are together
    Row   ///< or some edges of one, which has so many that they are read alone
  };

  std::size_t partition = 0; ///< of the sources
  std::size_t block = 0;     ///< the first
  std::size_t blockEnd = 0;  ///< behind the last
  std::uint32_t sourceBegin = 0, sourceEnd = 0;
  std::uint32_t edgeBegin = 0, edgeEnd = 0;
  bool continuesBlock = false; ///< has more edges of the block before
  Kind kind = Kind::Blocks;
  std::size_t soughtBegin = 0, soughtEnd = 0; ///< of the vertices in order

  bool isSought() const { return kind != Kind::Blocks; }

  const std::uint16_t *sources = nullptr; ///< that of sourceBegin
  const std::uint32_t *begins = nullptr;  ///< that of sourceBegin
  const std::byte *targets = nullptr;     ///< that of edgeBegin
  const std::byte *weights = nullptr;     ///< that of edgeBegin
};

/// For the chunks that a rank works on, where blocks of their sources begin.
struct SourceIndex {
  std::vector<std::vector<SourceBlock>> ofChunks; ///< per batch and partition
  /// Of dispatching graphs, per group of batches and partition.
  std::vector<std::vector<SourceBlock>> ofDispatching;

  /// How many sources a block of a chunk has.
  static std::uint32_t sources(const std::vector<SourceBlock> &starts,
                               std::size_t block) {
    return starts.empty() ? 0 : starts[block + 1].source - starts[block].source;
  }
};

/// What it costs to seek a vertex's edges: as much as to read so many bytes of
/// edges that lie side by side. That is the gamma of section 4.1, in bytes.
struct SeekCost {
  std::uint64_t onDisk = std::uint64_t(1) << 14;
  /// The processor's, in place of what it takes to go through sources.
  static constexpr std::uint64_t InMemory = 512;

  /// That of the device that a file is on.
  static SeekCost measure(const CheckedFile &file);

  /// Whether to seek the edges of `messages` vertices, rather than to read
  /// `bytes` of edges and sources. A seek finds a row first, and then edges.
  static bool isLess(std::uint64_t messages, std::uint64_t seekBytes,
                     std::uint64_t bytes) {
    return 2 * messages * seekBytes < bytes;
  }
};

/// How a ChunkScan reads pieces ahead of who uses them.
struct PieceBuffers {
  std::uint64_t targetBytes = sizeof(std::uint32_t), weightBytes = 0;
  std::size_t count = 4;

  /// For a graph whose edges take so many bytes, and one of so many threads
  /// that share a budget: fewer where many would take much of it.
  static PieceBuffers within(std::uint64_t budgetBytes, std::size_t threads,
                             std::uint64_t targetBytes, WeightKind weights);

  /// What a piece takes at most.
  std::size_t pieceBytes() const;
  /// What all take.
  std::size_t bytes() const;
};

/// Reads of the chunks of batches what messages need, some pieces ahead of who
/// uses them: of blocks with few messages the rows of their sources and what
/// these lead to (CSR), of others all (DCSR), by what costs less (section 4.1).
/// Of one thread.
class ChunkScan {
public:
  /// What a piece has at most: enough for the device to be busy with it.
  static constexpr std::uint32_t PieceEdges = std::uint32_t(1) << 18;
  static constexpr std::uint32_t PieceSources = 2 * SourceBlockVertices;
  /// A gap of so many edges is read rather than left out.
  static constexpr std::uint32_t GapEdges = std::uint32_t(1) << 14;
  /// The edges of vertices that have more are not sought together with others.
  static constexpr std::uint32_t SeekEdges = 2048;

  /// Of weights, it reads those that `buffers` are for.
  ChunkScan(const GraphLayout &layout, const Share &share,
            const PieceBuffers &buffers, std::deque<CheckedFile> &files,
            std::deque<FarFile> &farFiles, const SourceIndex &index,
            const SeekCost &seekCost, IoQueue &queue, KeptBytes &keptBytes);

  /// Decides what of the chunks from these partitions to a batch is read for
  /// these messages. Returns whether that is anything, and begins to read it.
  /// Throws Error if it cannot be read.
  bool begin(std::size_t batch, std::span<const std::size_t> partitions,
             const BatchMessages &messages);

  /// The same of one block of the dispatching graph from a partition to a group
  /// of batches, whose targets are bytes, the places of batches in the group.
  bool beginDispatching(std::size_t group, std::size_t partition,
                        std::size_t block, const BatchMessages &messages);

  /// What next() will return, without the memory.
  std::span<const ChunkPiece> plannedPieces() const { return pieces; }

  /// The next piece, valid until the next call; nothing after the last. Throws
  /// Error if it cannot be read.
  const ChunkPiece *next();

  /// Bytes of memory that one of these takes.
  static std::size_t bytes(const PieceBuffers &buffers);

private:
  using SoughtBlocks = std::vector<std::pair<std::size_t, std::size_t>>;

  /// Which chunks are read.
  struct Column {
    std::size_t number; ///< of a batch, or of a group
    bool isOfGroup;
  };

  void start(const Column &newColumn);
  bool isUsed(std::size_t partition, std::size_t block,
              const BatchMessages &messages) const;
  void chooseSought(std::size_t partition, const BatchMessages &messages,
                    std::size_t firstBlock, std::size_t endBlock);
  bool isSought(std::size_t partition, std::size_t block,
                const MessageBlock &messages) const;
  FileRange rowsOf(std::size_t partition, std::size_t block) const;
  void keepRows();
  void findRows(const BatchMessages &messages);
  void seekRows(const BatchMessages &messages);
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

  /// The place of the partition whose file has the chunks.
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
  /// Blocks whose vertices are sought, by partition and number, and all of
  /// these vertices.
  SoughtBlocks soughtBlocks;
  std::vector<SoughtVertex> sought;
  std::size_t copied = 0; ///< the first piece whose rows were not copied yet
  std::vector<std::uint16_t> copiedSources;
  std::vector<std::uint32_t> copiedBegins;
};

} // namespace heddle::graph::ooc

#endif
