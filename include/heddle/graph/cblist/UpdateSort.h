//===- UpdateSort.h - Updates by row and target ----------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_CBLIST_UPDATESORT_H
#define HEDDLE_GRAPH_CBLIST_UPDATESORT_H

#include "heddle/graph/RadixSort.h"
#include "heddle/graph/Update.h"
#include "heddle/graph/VertexArray.h"

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

  /// Of rows and targets below `vertices`. Throws std::bad_alloc.
  UpdateSort(Array<Update> &updates, VertexId vertices)
      : updates(updates), vertices(vertices) {}

  void sort() {
    if (std::is_sorted(updates.begin(), updates.end(), Update::precedes))
      return;
    Array<Update> scratch(updates.size());
    if (!worthThreads(updates.size())) {
      mergeSort(updates.data(), scratch.data(), updates.size());
      return;
    }
    chooseBuckets();
    partition(scratch);
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t bucket = 0; bucket < buckets; ++bucket)
      sortBucket(scratch.data() + bucketBegin[bucket],
                 updates.data() + bucketBegin[bucket],
                 bucketBegin[bucket + 1] - bucketBegin[bucket]);
    std::swap(updates, scratch);
  }

private:
  static constexpr std::size_t Blocks = 64;

  void chooseBuckets() {
    constexpr std::size_t UpdatesInBucket = std::size_t(1) << 14;
    constexpr std::size_t MostBuckets = std::size_t(1) << 12;
    const std::size_t wanted = std::clamp<std::size_t>(
        updates.size() / UpdatesInBucket, 1, MostBuckets);
    const auto highest = static_cast<std::size_t>(vertices - 1);
    while (highest >> rowBits >= wanted)
      ++rowBits;
    buckets = (highest >> rowBits) + 1;
  }

  /// Calls `visit` with the updates of a block in their order.
  template <typename Visit> void forEachOf(std::size_t block, Visit visit) {
    const std::size_t size = (updates.size() + Blocks - 1) / Blocks;
    const std::size_t begin = std::min(block * size, updates.size());
    const std::size_t end = std::min(begin + size, updates.size());
    for (std::size_t i = begin; i < end; ++i)
      visit(updates[i]);
  }

  /// First how many updates a block has for each bucket, then where the next of
  /// them goes.
  void partition(Array<Update> &to) {
    Array<std::uint64_t> places(Blocks * buckets);
    bucketBegin = Array<std::uint64_t>(buckets + 1);
#pragma omp parallel for
    for (std::size_t block = 0; block < Blocks; ++block) {
      std::uint64_t *const counts = places.data() + block * buckets;
      std::fill_n(counts, buckets, 0);
      forEachOf(block,
                [&](const Update &update) { ++counts[update.row >> rowBits]; });
    }
    std::uint64_t total = 0;
    for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
      bucketBegin[bucket] = total;
      for (std::size_t block = 0; block < Blocks; ++block)
        total += std::exchange(places[block * buckets + bucket], total);
    }
    bucketBegin[buckets] = total;
#pragma omp parallel for
    for (std::size_t block = 0; block < Blocks; ++block) {
      std::uint64_t *const place = places.data() + block * buckets;
      forEachOf(block, [&](const Update &update) {
        to[place[update.row >> rowBits]++] = update;
      });
    }
  }

  void sortBucket(Update *values, Update *scratch, std::size_t size) const {
    constexpr std::size_t Few = 512;
    if (size < Few || size > UINT32_MAX) {
      mergeSort(values, scratch, size);
      return;
    }
    detail::RadixSort<Update> sort(values, scratch, size);
    sort.sortBy([](const Update &update) { return update.target; },
                static_cast<unsigned>(std::bit_width(vertices - 1)));
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

  Array<Update> &updates;
  const VertexId vertices;
  unsigned rowBits = 0; ///< a bucket has the rows whose higher bits are its own
  std::size_t buckets = 0;
  Array<std::uint64_t> bucketBegin;
};

} // namespace heddle::graph::cblist

#endif
