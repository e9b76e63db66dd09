//===- ChunkSources.h - The sources of chunks just written ------*- C++ -*-===//

#ifndef HEDDLE_GRAPHLIB_OOC_EDGES_CHUNKSOURCES_H
#define HEDDLE_GRAPHLIB_OOC_EDGES_CHUNKSOURCES_H

#include "../disk/BlockAppender.h"
#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/ooc/Layout.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace heddle::graph::ooc {

/// The files of all partitions, while they are written.
using PartFiles = std::vector<std::unique_ptr<BlockAppender>>;

/// Reads which vertices have edges in chunks, some blocks of sources at a time.
class ChunkSources {
public:
  ChunkSources(const GraphLayout &layout, const PartFiles &files)
      : layout(layout), files(files) {}

  /// Returns the number of blocks that can be processed at once within
  /// `memoryBytes`, if each takes `blockBytes` in addition to its sources.
  static std::uint64_t blocksWithin(std::uint64_t memoryBytes,
                                    std::uint64_t blockBytes) {
    constexpr std::uint64_t Most = 64;
    constexpr std::uint64_t SourceBytes =
        sizeof(std::uint16_t) + sizeof(std::uint32_t);
    return std::clamp<std::uint64_t>(
        memoryBytes / (SourceBlockVertices * SourceBytes + blockBytes), 1,
        Most);
  }

  /// Calls `visit(vertex, edges)` for each source of a chunk in the blocks from
  /// `first` up to `end`. Vertices are counted from the first of block `first`.
  template <typename Visit>
  void forEach(std::size_t partition, std::size_t batch, std::uint64_t first,
               std::uint64_t end, Visit visit) {
    const Chunk &chunk = layout.chunk(partition, batch);
    HEDDLE_ASSERT(first < end && end <= layout.sourceBlocks(partition));
    if (chunk.edges == 0)
      return;
    const ChunkPlaces places = layout.places(partition, chunk);
    const BlockFile &file = files[layout.partitionOf[batch]]->file();
    const std::size_t count = end - first + 1;
    const auto *blocks = blockPiece.read<SourceBlock>(
        file, places.blocks + first * sizeof(SourceBlock), count);
    const std::uint64_t firstSource = blocks[0].source;
    const std::uint64_t sourceCount = blocks[count - 1].source - firstSource;
    if (sourceCount == 0)
      return;
    const auto *sources = sourcePiece.read<std::uint16_t>(
        file, places.sources + firstSource * sizeof(std::uint16_t),
        sourceCount);
    const auto *begins = beginPiece.read<std::uint32_t>(
        file, places.begins + firstSource * sizeof(std::uint32_t),
        sourceCount + 1);
    for (std::size_t block = 0; block + 1 < count; ++block)
      for (std::uint64_t i = blocks[block].source - firstSource;
           i < blocks[block + 1].source - firstSource; ++i)
        visit(block * SourceBlockVertices + sources[i],
              begins[i + 1] - begins[i]);
  }

private:
  /// Reads arbitrary bytes of a file of blocks.
  class PieceOfFile {
  public:
    /// Valid until the next call.
    template <typename T>
    const T *read(const BlockFile &file, std::uint64_t offset,
                  std::uint64_t count) {
      const std::uint64_t begin = offset / BlockBytes * BlockBytes;
      const std::uint64_t end = roundUpToBlock(offset + count * sizeof(T));
      if (buffer.size() < end - begin)
        buffer = BlockBuffer(2 * (end - begin));
      queue.read(file, begin, buffer.data(), end - begin);
      return reinterpret_cast<const T *>(buffer.data() + (offset - begin));
    }

  private:
    BlockBuffer buffer;
    IoQueue queue;
  };

  const GraphLayout &layout;
  const PartFiles &files;
  PieceOfFile blockPiece, sourcePiece, beginPiece;
};

} // namespace heddle::graph::ooc

#endif
