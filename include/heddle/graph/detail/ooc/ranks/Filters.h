//===- Filters.h - Which messages another rank needs -----------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_DETAIL_OOC_RANKS_FILTERS_H
#define HEDDLE_GRAPH_DETAIL_OOC_RANKS_FILTERS_H

#include "heddle/graph/detail/ooc/disk/CheckedFile.h"
#include "heddle/graph/ooc/Layout.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

namespace heddle::graph::ooc {

/// How many vertices pass the filters of the partitions of a rank.
struct FilterCounts {
  /// Of one partition.
  struct Counts {
    std::vector<std::uint32_t> ofFilters; ///< by GraphLayout::filterIndex()
    /// Of those that another rank needs, where its filters were read; by its
    /// first partition and the block.
    std::vector<std::optional<std::uint32_t>> ofRanks;
  };

  std::vector<Counts> partitions;

  /// Bytes of memory that those of a partition take.
  static std::uint64_t bytes(const GraphLayout &layout, std::size_t partition) {
    if (layout.filterCount(partition) == 0)
      return 0;
    return layout.filterCount(partition) * sizeof(std::uint32_t) +
           layout.partitions() * layout.sourceBlocks(partition) *
               sizeof(std::optional<std::uint32_t>);
  }
};

/// How many of a block's vertices some partitions need at most, and the most
/// that one of them needs.
struct FilterNeed {
  std::uint64_t most = 0, least = 0;
};

/// That of the partitions of `to`, of which `counts` are the vertices that pass
/// the filters of their partition.
FilterNeed needOf(const GraphLayout &layout,
                  const std::vector<std::uint32_t> &counts,
                  std::size_t partition, std::size_t block, const Share &to);

/// Reads filters (section 4.3). Of one thread.
class FilterReader {
public:
  using Bits = std::array<std::uint64_t, FilterBytes / sizeof(std::uint64_t)>;

  /// Enters into `counts` what it finds out.
  FilterReader(const GraphLayout &layout, std::deque<CheckedFile> &files,
               const Share &own, FilterCounts &counts, IoQueue &queue,
               KeptBytes &keptBytes)
      : layout(layout), files(files), own(own), counts(counts),
        reader(queue, keptBytes, 1, FilterBytes) {}

  FilterNeed needOf(std::size_t partition, std::size_t block,
                    const Share &to) const {
    return ooc::needOf(layout, countsOf(partition).ofFilters, partition, block,
                       to);
  }

  /// Which of a block's vertices the partitions of `to` need. Valid until the
  /// next call. Throws Error.
  const Bits &read(std::size_t partition, std::size_t block, const Share &to);

private:
  FilterCounts::Counts &countsOf(std::size_t partition) const {
    return counts.partitions[partition - own.firstPartition];
  }

  const GraphLayout &layout;
  std::deque<CheckedFile> &files;
  const Share own;
  FilterCounts &counts;
  RangeReader reader;
  Bits bits;
};

} // namespace heddle::graph::ooc

#endif
