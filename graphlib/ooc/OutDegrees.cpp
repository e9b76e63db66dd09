//===- OutDegrees.cpp - Counting edges of chunks -------------------------===//

#include "OutDegrees.h"

#include "heddle/graph/Error.h"

#include <limits>
#include <string>

namespace heddle::graph::ooc {

namespace {

/// Any bytes of a file of blocks.
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
    IoQueue::Request request;
    queue.read(file, begin, buffer.data(), end - begin, request);
    queue.wait(request);
    return reinterpret_cast<const T *>(buffer.data() + (offset - begin));
  }

private:
  BlockBuffer buffer;
  IoQueue queue;
};

/// The vertices of a partition that are counted at once.
constexpr std::uint64_t WindowBlocks = 64;

class OutDegreeCounter {
public:
  OutDegreeCounter(GraphLayout &layout,
                   const std::vector<std::unique_ptr<BlockAppender>> &files,
                   const std::function<void(std::uint64_t)> &progress)
      : layout(layout), files(files), progress(progress),
        degrees(WindowBlocks * SourceBlockVertices) {}

  void count(std::size_t partition) {
    BlockAppender &file = *files[partition];
    layout.files[partition].degreesOffset = file.position();
    const std::uint64_t blocks = layout.sourceBlocks(partition);
    for (std::uint64_t first = 0; first < blocks; first += WindowBlocks) {
      const std::uint64_t end = std::min(first + WindowBlocks, blocks);
      std::ranges::fill(degrees, 0);
      for (std::size_t batch = 0; batch < layout.batches(); ++batch)
        if (layout.chunk(partition, batch).edges > 0)
          addChunk(partition, batch, first, end);
      const std::uint64_t vertices =
          std::min(end * SourceBlockVertices, layout.partitionSize(partition)) -
          first * SourceBlockVertices;
      file.append(std::span<const std::uint32_t>(degrees).first(vertices));
      progress(done += vertices);
    }
  }

private:
  void addChunk(std::size_t partition, std::size_t batch, std::uint64_t first,
                std::uint64_t end) {
    const ChunkPlaces places =
        layout.places(partition, layout.chunk(partition, batch));
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
        add(partition, block * SourceBlockVertices + sources[i],
            begins[i + 1] - begins[i]);
  }

  void add(std::size_t partition, std::uint64_t vertex, std::uint32_t edges) {
    if (edges > std::numeric_limits<std::uint32_t>::max() - degrees[vertex])
      throw Error("a vertex of partition " + std::to_string(partition) +
                  " has 2^32 edges or more");
    degrees[vertex] += edges;
  }

  GraphLayout &layout;
  const std::vector<std::unique_ptr<BlockAppender>> &files;
  const std::function<void(std::uint64_t)> &progress;
  std::uint64_t done = 0;
  std::vector<std::uint32_t> degrees;
  PieceOfFile blockPiece, sourcePiece, beginPiece;
};

} // namespace

void appendOutDegrees(GraphLayout &layout,
                      const std::vector<std::unique_ptr<BlockAppender>> &files,
                      const std::function<void(std::uint64_t)> &progress) {
  OutDegreeCounter counter(layout, files, progress);
  for (std::size_t partition = 0; partition < layout.partitions(); ++partition)
    counter.count(partition);
}

} // namespace heddle::graph::ooc
