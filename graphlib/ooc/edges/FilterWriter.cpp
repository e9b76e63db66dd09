//===- FilterWriter.cpp - Writes the filters of a graph -------------------===//

#include "FilterWriter.h"

#include <algorithm>
#include <bit>

namespace heddle::graph::ooc {

void appendFilters(GraphLayout &layout, const PartFiles &files,
                   std::uint64_t memoryBytes,
                   const std::function<void(std::uint64_t)> &progress) {
  constexpr std::size_t WordsOfBlock = FilterBytes / sizeof(std::uint64_t);
  const std::uint64_t window =
      ChunkSources::blocksWithin(memoryBytes, FilterBytes);
  ChunkSources sources(layout, files);
  std::vector<std::uint64_t> bits(window * WordsOfBlock);
  const auto setBit = [&](std::uint64_t vertex, std::uint32_t) {
    bits[vertex / 64] |= std::uint64_t(1) << (vertex % 64);
  };
  std::vector<std::uint32_t> counts;
  const auto append = [&](BlockAppender &file, std::uint64_t blocks) {
    const auto words =
        std::span<const std::uint64_t>(bits).first(blocks * WordsOfBlock);
    file.append(words);
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (i % WordsOfBlock == 0)
        counts.push_back(0);
      counts.back() += static_cast<std::uint32_t>(std::popcount(words[i]));
    }
  };
  for (std::size_t from = 0, done = 0; from < layout.partitions(); ++from) {
    BlockAppender &file = *files[from];
    file.align(BlockBytes);
    layout.files[from].filtersOffset = file.position();
    counts.clear();
    const std::uint64_t blocks = layout.sourceBlocks(from);
    for (std::size_t to = 0; to < layout.partitions(); ++to) {
      if (to == from)
        continue;
      for (std::uint64_t first = 0; first < blocks; first += window) {
        const std::uint64_t end = std::min(first + window, blocks);
        std::ranges::fill(bits, 0);
        for (std::size_t batch = layout.firstBatchOf[to];
             batch < layout.firstBatchOf[to + 1]; ++batch)
          sources.forEach(from, batch, first, end, setBit);
        append(file, end - first);
      }
      progress(++done);
    }
    file.align(ChunkAlignment);
    layout.files[from].filterCountsOffset = file.position();
    file.append(std::span<const std::uint32_t>(counts));
    // There may be many partitions, and each would keep its buffers.
    file.flush();
  }
}

} // namespace heddle::graph::ooc
