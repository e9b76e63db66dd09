//===- Filters.cpp - Which messages another rank needs -------------------===//

#include "heddle/graph/detail/ooc/ranks/Filters.h"

#include "heddle/graph/detail/Assert.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace heddle::graph::ooc {

FilterNeed needOf(const GraphLayout &layout,
                  const std::vector<std::uint32_t> &counts,
                  std::size_t partition, std::size_t block, const Share &to) {
  FilterNeed need;
  for (std::size_t part = to.firstPartition; part < to.endPartition; ++part) {
    const std::uint64_t count =
        counts[layout.filterIndex(partition, part, block)];
    need.most += count;
    need.least = std::max(need.least, count);
  }
  return need;
}

const FilterReader::Bits &
FilterReader::read(std::size_t partition, std::size_t block, const Share &to) {
  HEDDLE_ASSERT(partition >= own.firstPartition &&
                partition < own.endPartition);
  HEDDLE_ASSERT(
      (to.endPartition <= partition || to.firstPartition > partition) &&
      "partitions have filters for other ranks only");
  bits.fill(0);
  for (std::size_t part = to.firstPartition; part < to.endPartition; ++part) {
    const std::uint64_t index = layout.filterIndex(partition, part, block);
    Bits ofPart;
    reader.copy(files[partition - own.firstPartition],
                {layout.files[partition].filtersOffset + index * FilterBytes,
                 FilterBytes},
                ofPart.data());
    std::ranges::transform(bits, ofPart, bits.begin(), std::bit_or());
  }
  std::optional<std::uint32_t> &needed =
      countsOf(partition)
          .ofRanks[to.firstPartition * layout.sourceBlocks(partition) + block];
  if (!needed) {
    needed = 0;
    for (const std::uint64_t word : bits)
      *needed += static_cast<std::uint32_t>(std::popcount(word));
  }
  return bits;
}

} // namespace heddle::graph::ooc
