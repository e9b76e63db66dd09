//===- FilterWriter.cpp - Writes the filters of a graph -------------------===//

#include "FilterWriter.h"

#include <algorithm>
#include <bit>

namespace heddle::graph::ooc {

namespace {

constexpr std::size_t WordsOfBlock = FilterBytes / sizeof(std::uint64_t);

class FilterWriter {
public:
  FilterWriter(GraphLayout &layout, const PartFiles &files,
               std::uint64_t memoryBytes)
      : layout(layout), files(files),
        window(ChunkSources::blocksWithin(memoryBytes, FilterBytes)),
        sources(layout, files), bits(window * WordsOfBlock) {}

  void begin(std::size_t from) {
    files[from]->align(BlockBytes);
    layout.files[from].filtersOffset = files[from]->position();
    counts.clear();
  }

  void write(std::size_t from, std::size_t to) {
    const std::uint64_t blocks = layout.sourceBlocks(from);
    for (std::uint64_t first = 0; first < blocks; first += window) {
      const std::uint64_t end = std::min(first + window, blocks);
      std::ranges::fill(bits, 0);
      for (std::size_t batch = layout.firstBatchOf[to];
           batch < layout.firstBatchOf[to + 1]; ++batch)
        sources.forEach(
            from, batch, first, end, [&](std::uint64_t vertex, std::uint32_t) {
              bits[vertex / 64] |= std::uint64_t(1) << (vertex % 64);
            });
      append(*files[from], end - first);
    }
  }

  void end(std::size_t from) {
    files[from]->align(ChunkAlignment);
    layout.files[from].filterCountsOffset = files[from]->position();
    files[from]->append(std::span<const std::uint32_t>(counts));
    // There may be many partitions, and each would keep its buffers.
    files[from]->flush();
  }

private:
  void append(BlockAppender &file, std::uint64_t blocks) {
    const std::span words = std::span<const std::uint64_t>(bits).first(
        static_cast<std::size_t>(blocks) * WordsOfBlock);
    file.append(words);
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (i % WordsOfBlock == 0)
        counts.push_back(0);
      counts.back() += static_cast<std::uint32_t>(std::popcount(words[i]));
    }
  }

  GraphLayout &layout;
  const PartFiles &files;
  const std::uint64_t window; ///< blocks that are looked at together
  ChunkSources sources;
  std::vector<std::uint64_t> bits;
  std::vector<std::uint32_t> counts;
};

} // namespace

void appendFilters(GraphLayout &layout, const PartFiles &files,
                   std::uint64_t memoryBytes,
                   const std::function<void(std::uint64_t)> &progress) {
  const std::size_t partitions = layout.partitions();
  FilterWriter writer(layout, files, memoryBytes);
  for (std::size_t from = 0, done = 0; from < partitions; ++from) {
    writer.begin(from);
    for (std::size_t to = 0; to < partitions; ++to) {
      if (to == from)
        continue;
      writer.write(from, to);
      progress(++done);
    }
    writer.end(from);
  }
}

} // namespace heddle::graph::ooc
