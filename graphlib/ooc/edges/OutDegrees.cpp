//===- OutDegrees.cpp - Counting edges of chunks -------------------------===//

#include "OutDegrees.h"

#include "heddle/graph/Error.h"

#include <algorithm>
#include <string>

namespace heddle::graph::ooc {

void appendOutDegrees(GraphLayout &layout, const PartFiles &files,
                      std::uint64_t memoryBytes,
                      const std::function<void(std::uint64_t)> &progress) {
  const std::uint64_t window = ChunkSources::blocksWithin(
      memoryBytes, SourceBlockVertices * sizeof(std::uint32_t));
  ChunkSources sources(layout, files);
  // Reserved, because a vector that grows would have its values twice.
  std::uint64_t mostBlocks = 0;
  for (std::size_t part = 0; part < layout.partitions(); ++part)
    mostBlocks = std::max(mostBlocks, layout.sourceBlocks(part));
  std::vector<std::uint32_t> degrees;
  degrees.reserve(std::min(window, mostBlocks) * SourceBlockVertices);
  std::uint64_t done = 0;
  for (std::size_t part = 0; part < layout.partitions(); ++part) {
    BlockAppender &file = *files[part];
    layout.files[part].degreesOffset = file.position();
    const auto count = [&](std::uint64_t vertex, std::uint32_t edges) {
      if (__builtin_add_overflow(degrees[vertex], edges, &degrees[vertex]))
        throw Error("expected fewer than 2^32 edges from each vertex, found "
                    "more from one of partition " +
                    std::to_string(part));
    };
    const std::uint64_t blocks = layout.sourceBlocks(part);
    for (std::uint64_t first = 0; first < blocks; first += window) {
      const std::uint64_t end = std::min(first + window, blocks);
      const std::uint64_t vertices =
          std::min(end * SourceBlockVertices, layout.partitionSize(part)) -
          first * SourceBlockVertices;
      degrees.assign(vertices, 0);
      for (std::size_t batch = 0; batch < layout.batches(); ++batch)
        sources.forEach(part, batch, first, end, count);
      file.append(std::span<const std::uint32_t>(degrees));
      progress(done += vertices);
    }
    // There may be many partitions, and each would keep its buffers.
    file.flush();
  }
}

} // namespace heddle::graph::ooc
