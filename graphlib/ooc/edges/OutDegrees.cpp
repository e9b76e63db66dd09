//===- OutDegrees.cpp - Counting edges of chunks -------------------------===//

#include "OutDegrees.h"

#include "heddle/graph/Error.h"

#include <limits>
#include <string>

namespace heddle::graph::ooc {

namespace {

class OutDegreeCounter {
public:
  OutDegreeCounter(GraphLayout &layout, const PartFiles &files,
                   std::uint64_t memoryBytes,
                   const std::function<void(std::uint64_t)> &progress)
      : layout(layout), files(files), progress(progress),
        window(ChunkSources::blocksWithin(memoryBytes, SourceBlockVertices *
                                                           sizeof(degrees[0]))),
        sources(layout, files), degrees(window * SourceBlockVertices) {}

  void count(std::size_t partition) {
    BlockAppender &file = *files[partition];
    layout.files[partition].degreesOffset = file.position();
    const std::uint64_t blocks = layout.sourceBlocks(partition);
    for (std::uint64_t first = 0; first < blocks; first += window) {
      const std::uint64_t end = std::min(first + window, blocks);
      std::ranges::fill(degrees, 0);
      for (std::size_t batch = 0; batch < layout.batches(); ++batch)
        sources.forEach(partition, batch, first, end,
                        [&](std::uint64_t vertex, std::uint32_t edges) {
                          add(partition, vertex, edges);
                        });
      const std::uint64_t vertices =
          std::min(end * SourceBlockVertices, layout.partitionSize(partition)) -
          first * SourceBlockVertices;
      file.append(std::span<const std::uint32_t>(degrees).first(vertices));
      progress(done += vertices);
    }
    // There may be many partitions, and each would keep its buffers.
    file.flush();
  }

private:
  void add(std::size_t partition, std::uint64_t vertex, std::uint32_t edges) {
    if (edges > std::numeric_limits<std::uint32_t>::max() - degrees[vertex])
      throw Error("expected fewer than 2^32 edges from each vertex, found "
                  "more from one of partition " +
                  std::to_string(partition));
    degrees[vertex] += edges;
  }

  GraphLayout &layout;
  const PartFiles &files;
  const std::function<void(std::uint64_t)> &progress;
  const std::uint64_t window; ///< blocks that are counted at once
  std::uint64_t done = 0;
  ChunkSources sources;
  std::vector<std::uint32_t> degrees;
};

} // namespace

void appendOutDegrees(GraphLayout &layout, const PartFiles &files,
                      std::uint64_t memoryBytes,
                      const std::function<void(std::uint64_t)> &progress) {
  OutDegreeCounter counter(layout, files, memoryBytes, progress);
  for (std::size_t partition = 0; partition < layout.partitions(); ++partition)
    counter.count(partition);
}

} // namespace heddle::graph::ooc
