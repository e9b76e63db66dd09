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
#include <vector>

namespace heddle::graph::ooc {

/// The numbers of vertices that pass the filters of a rank's partitions.
struct FilterCounts {
  /// The counts of one partition.
  struct Counts {
    std::vector<std::uint32_t> ofFilters; ///< by GraphLayout::filterIndex()
    /// The number of vertices of a block that another rank needs, if its
    /// filters were read; by the rank's first partition and the block.
    std::vector<std::optional<std::uint32_t>> ofRanks;
  };

  std::vector<Counts> partitions;

  /// The bytes of memory that the counts of a partition take.
  static std::uint64_t bytes(const GraphLayout &layout, std::size_t partition) {
    if (layout.filterCount(partition) == 0)
      return 0;
    return layout.filterCount(partition) * sizeof(std::uint32_t) +
           layout.partitions() * layout.sourceBlocks(partition) *
               sizeof(std::optional<std::uint32_t>);
  }
};

/// Bounds of the number of a block's vertices that a rank needs: the sum over
/// its partitions, and the maximum.
struct FilterNeed {
  std::uint64_t most = 0, least = 0;
};

/// The need of the rank with the partitions of `to`, from the counts of the
/// filters of `partition`.
FilterNeed needOf(const GraphLayout &layout,
                  const std::vector<std::uint32_t> &counts,
                  std::size_t partition, std::size_t block, const Share &to);

/// Reads filters (section 4.3). Used by one thread.
class FilterReader {
public:
  using Bits = std::array<std::uint64_t, FilterBytes / sizeof(std::uint64_t)>;

  /// `own` is the share of this rank. Enters FilterCounts::Counts::ofRanks into
  /// `counts`.
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

  /// The vertices of a block that the partitions of `to` need. Valid until the
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
