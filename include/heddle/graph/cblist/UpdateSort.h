//===- UpdateSort.h - Updates by row and target ----------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_CBLIST_UPDATESORT_H
#define HEDDLE_GRAPH_CBLIST_UPDATESORT_H

#include "heddle/graph/RadixSort.h"
#include "heddle/graph/Update.h"
#include "heddle/graph/VertexArray.h"
#include "heddle/graph/pma/Tasks.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace heddle::graph::cblist {

/// What is to be done with an edge in one row.
template <VertexIdentifier VertexId, EdgeWeight Weight> struct RowUpdate {
  VertexId row, target;
  [[no_unique_address]] Weight weight;
  UpdateMode mode;

  /// Orders updates of different edges.
  static bool precedes(const RowUpdate &a, const RowUpdate &b) {
    return a.row != b.row ? a.row < b.row : a.target < b.target;
  }
};

/// Sorts updates by row and target and keeps the order of those of the same
/// edge. Many are dealt out to buckets of neighbouring rows, each of which a
/// thread then sorts within its cache.
template <VertexIdentifier VertexId, EdgeWeight Weight> class UpdateSort {
public:
  using Update = RowUpdate<VertexId, Weight>;

  /// Of rows and targets below `vertices`.
  explicit UpdateSort(VertexId vertices) : vertices(vertices) {}

  /// Sorts `count` updates, which are then where they were or in `scratch`,
  /// which has room for as many. Throws std::bad_alloc.
  Update *sort(Update *values, Update *scratch, std::size_t count) {
    if (std::is_sorted(values, values + count, Update::precedes))
      return values;
    if (!worthThreads(count)) {
      rowBits = bitsOfVertices();
      sortBucket(values, scratch, count);
      return values;
    }
    chooseBuckets(count);
    partition(values, scratch, count);
    detail::forEachTask(buckets, true, [&](std::size_t bucket) {
      sortBucket(scratch + bucketBegin[bucket], values + bucketBegin[bucket],
                 bucketBegin[bucket + 1] - bucketBegin[bucket]);
    });
    return scratch;
  }

private:
  static constexpr std::size_t Blocks = 64;

  void chooseBuckets(std::size_t count) {
    constexpr std::size_t UpdatesInBucket = std::size_t(1) << 14;
    constexpr std::size_t MostBuckets = std::size_t(1) << 12;
    const std::size_t wanted =
        std::clamp<std::size_t>(count / UpdatesInBucket, 1, MostBuckets);
    const auto highest = static_cast<std::size_t>(vertices - 1);
    while (highest >> rowBits >= wanted)
      ++rowBits;
    buckets = (highest >> rowBits) + 1;
  }

  /// First how many updates a block has for each bucket, then where the next of
  /// them goes.
  void partition(const Update *from, Update *to, std::size_t count) {
    Array<std::uint64_t> places(Blocks * buckets);
    bucketBegin = Array<std::uint64_t>(buckets + 1);
    const std::size_t size = (count + Blocks - 1) / Blocks;
    const auto begin = [&](std::size_t block) {
      return std::min(block * size, count);
    };
    detail::forEachTask(Blocks, true, [&](std::size_t block) {
      std::uint64_t *const counts = places.data() + block * buckets;
      std::fill_n(counts, buckets, 0);
      for (std::size_t i = begin(block); i < begin(block + 1); ++i)
        ++counts[from[i].row >> rowBits];
    });
    std::uint64_t total = 0;
    for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
      bucketBegin[bucket] = total;
      for (std::size_t block = 0; block < Blocks; ++block)
        total += std::exchange(places[block * buckets + bucket], total);
    }
    bucketBegin[buckets] = total;
    detail::forEachTask(Blocks, true, [&](std::size_t block) {
      std::uint64_t *const place = places.data() + block * buckets;
      for (std::size_t i = begin(block); i < begin(block + 1); ++i)
        to[place[from[i].row >> rowBits]++] = from[i];
    });
  }

  unsigned bitsOfVertices() const {
    return static_cast<unsigned>(std::bit_width(vertices - 1));
  }

  void sortBucket(Update *values, Update *scratch, std::size_t size) const {
    constexpr std::size_t Few = 256;
    if (size < Few || size > UINT32_MAX) {
      mergeSort(values, scratch, size);
      return;
    }
    detail::RadixSort<Update> sort(values, scratch, size);
    sort.sortBy([](const Update &update) { return update.target; },
                bitsOfVertices());
    sort.sortBy([](const Update &update) { return update.row; }, rowBits);
    sort.finish();
  }

  /// Short runs are sorted by insertion, and then merged to and fro.
  static void mergeSort(Update *values, Update *scratch, std::size_t size) {
    constexpr std::size_t Run = 16;
    for (std::size_t begin = 0; begin < size; begin += Run)
      insertionSort(values + begin, values + std::min(begin + Run, size));
    Update *from = values, *to = scratch;
    for (std::size_t run = Run; run < size; run *= 2) {
      for (std::size_t begin = 0; begin < size; begin += 2 * run) {
        Update *const middle = from + std::min(begin + run, size);
        std::merge(from + begin, middle, middle,
                   from + std::min(begin + 2 * run, size), to + begin,
                   Update::precedes);
      }
      std::swap(from, to);
    }
    if (from != values)
      std::copy_n(from, size, values);
  }

  static void insertionSort(Update *begin, Update *end) {
    for (Update *sorted = begin; sorted != end; ++sorted) {
      const Update update = *sorted;
      Update *place = sorted;
      for (; place != begin && Update::precedes(update, place[-1]); --place)
        *place = place[-1];
      *place = update;
    }
  }

  const VertexId vertices;
  unsigned rowBits = 0; ///< a bucket has the rows whose higher bits are its own
  std::size_t buckets = 0;
  Array<std::uint64_t> bucketBegin;
};

} // namespace heddle::graph::cblist

#endif
