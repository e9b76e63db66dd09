//===- pma/Rebalance.h - The redistribution phase --------------*- C++ -*-===//
//
// Brings regions back within their bounds (CPMA, section 4, "Redistribution
// phase"): copies the elements of each region and spreads them evenly. If the
// root is out of bounds, all elements move to a larger or smaller array. All
// memory is allocated before any element is moved.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_PMA_REBALANCE_H
#define HEDDLE_GRAPH_DETAIL_PMA_REBALANCE_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/Tasks.h"
#include "heddle/graph/detail/pma/Regions.h"
#include "heddle/graph/detail/pma/Spread.h"
#include "heddle/graph/detail/sort/PrefixSum.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <omp.h>
#include <span>
#include <utility>

namespace heddle::graph::detail {

/// The weight of the elements of a leaf when they are spread.
template <typename Traits> std::size_t weightOf(const LeafView<Traits> &leaf) {
  return leaf.count > 0 ? leaf.load() + Traits::Codec::MostCodeBytes : 0;
}

/// Memory for copies of leaves.
template <typename Traits> struct CopySpace {
  /// Throws std::bad_alloc.
  explicit CopySpace(std::size_t leaves)
      : memory(leaves * Traits::LeafBytes), views(leaves), weights(leaves) {}

  Array<std::byte> memory;
  Array<LeafView<Traits>> views;
  Array<std::size_t> weights;
};

/// The leaves of a region, copied. A source of spread().
template <typename Traits> class LeafCopies {
public:
  /// Copies go to the slots of `space` from slot `first` on.
  LeafCopies(CopySpace<Traits> &space, std::size_t first)
      : memory(space.memory.data() + first * Traits::LeafBytes),
        views(space.views.data() + first),
        weights(space.weights.data() + first) {}

  /// Copies the leaves `first` to `last` - 1. `contents.view(leaf)` returns the
  /// elements of a leaf; elements that are stored outside of `leaves` are not
  /// copied.
  template <typename Contents>
  void take(const Leaves<Traits> &leaves, const Contents &contents,
            std::size_t first, std::size_t last) {
    constexpr std::size_t leavesAtOnce = 256;
    HEDDLE_ASSERT(first < last && last <= leaves.size());
    count = last - first;
    const std::size_t blocks = (count - 1) / leavesAtOnce + 1;
    forEachTask(blocks, blocks > 1, [&](std::size_t block) {
      const std::size_t begin = block * leavesAtOnce;
      const std::size_t end = std::min(begin + leavesAtOnce, count);
      for (std::size_t i = begin; i < end; ++i) {
        views[i] = contents.view(first + i);
        weights[i] = weightOf(views[i]);
        if (views[i].codes == leaves.codes(first + i))
          copy(i);
      }
    });
    total = exclusiveSum();
  }

  std::size_t weight() const { return total; }
  std::size_t segments() const { return count; }
  const LeafView<Traits> &view(std::size_t i) const { return views[i]; }
  std::size_t before(std::size_t i) const { return weights[i]; }
  auto stream(std::size_t i) const {
    return LeafStream<Traits, LeafCopies>(*this, i);
  }

private:
  /// Copies the whole leaf, as reading a code may touch bytes behind the codes.
  void copy(std::size_t i) {
    std::byte *to = memory + i * Traits::LeafBytes;
    std::memcpy(to, views[i].codes - Traits::FrontBytes, Traits::LeafBytes);
    to += Traits::FrontBytes;
    views[i].values = to + (views[i].values - views[i].codes);
    views[i].codes = to;
  }

  std::size_t exclusiveSum() {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < count; ++i)
      sum += std::exchange(weights[i], sum);
    return sum;
  }

  std::byte *memory;
  LeafView<Traits> *views;
  std::size_t *weights; ///< at first; later of the leaves before
  std::size_t count = 0, total = 0;
};

/// All leaves of an array, in place. A source of spread().
template <typename Traits, typename Contents> class AllLeaves {
public:
  /// Throws std::bad_alloc.
  AllLeaves(std::size_t leaves, const Contents &contents)
      : contents(contents), weights(leaves) {
    std::size_t load = 0, heads = 0;
#pragma omp parallel for reduction(+ : load, heads)
    for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
      const LeafView<Traits> view = contents.view(leaf);
      weights[leaf] = weightOf(view);
      load += view.load();
      heads += view.count > 0;
    }
    allLoad = load;
    allHeads = heads;
    total = exclusivePrefixSum({weights.data(), weights.size()});
    HEDDLE_ASSERT(total == Density<Traits>::mostWeight(load, heads));
  }

  std::size_t load() const { return allLoad; }
  std::size_t heads() const { return allHeads; }
  std::size_t weight() const { return total; }
  std::size_t segments() const { return weights.size(); }
  LeafView<Traits> view(std::size_t i) const { return contents.view(i); }
  std::size_t before(std::size_t i) const { return weights[i]; }
  auto stream(std::size_t i) const {
    return LeafStream<Traits, AllLeaves>(*this, i);
  }

private:
  const Contents &contents;
  Array<std::uint64_t> weights; ///< at first; later of the leaves before
  std::size_t allLoad, allHeads, total;
};

/// The elements of leaves none of which has overflowed.
template <typename Traits> struct InPlace {
  const Leaves<Traits> &leaves;
  LeafView<Traits> view(std::size_t leaf) const { return leaves.view(leaf); }
};

/// Spreads the elements of regions. `Contents` returns the elements of a leaf.
template <typename Traits, typename Contents> class Rebalance {
public:
  Rebalance(Leaves<Traits> &leaves, const Density<Traits> &density,
            const Contents &contents)
      : leaves(leaves), density(density), contents(contents) {}

  /// Spreads the elements of regions, which must be disjoint. They must be
  /// settled, unless the only one is the root. `count` is the number of all
  /// elements, at least one. Throws std::bad_alloc before anything has changed.
  void run(std::span<const Region> regions, std::size_t count) {
    HEDDLE_ASSERT(count > 0);
    if (!regions.empty() && !regions[0].settled)
      return rebuild(count);
    constexpr std::size_t manyRegions = 64;
    std::size_t largestSmall = 0, largest = 0;
    for (const Region &region : regions) {
      std::size_t &size = isSmall(region) ? largestSmall : largest;
      size = std::max(size, sizeOf(region));
    }
    const std::size_t threads =
        regions.size() >= manyRegions
            ? static_cast<std::size_t>(omp_get_max_threads())
            : 1;
    CopySpace<Traits> space(std::max(threads * largestSmall, largest));

    for (const Region &region : regions)
      if (!isSmall(region))
        spreadOne(region, LeafCopies<Traits>(space, 0));
    forEachTask(regions.size(), threads > 1, [&](std::size_t i) {
      const auto thread = static_cast<std::size_t>(omp_get_thread_num());
      if (isSmall(regions[i]))
        spreadOne(regions[i], LeafCopies<Traits>(space, thread * largestSmall));
    });
  }

private:
  /// One thread spreads a small region; all threads spread a large one
  /// together.
  static constexpr unsigned HighestSmallLevel = 8;

  static bool isSmall(const Region &region) {
    return region.level <= HighestSmallLevel;
  }
  std::size_t end(const Region &region) const {
    return std::min(region.first + (std::size_t(1) << region.level),
                    leaves.size());
  }
  std::size_t sizeOf(const Region &region) const {
    return end(region) - region.first;
  }

  void rebuild(std::size_t count) {
    const AllLeaves<Traits, Contents> all(leaves.size(), contents);
    const double before =
        static_cast<double>(all.load()) / static_cast<double>(leaves.size());
    Leaves<Traits> fresh(density.leavesFor(all.load(), all.heads(), count,
                                           density.resized(before)));
    spread(all, all.weight(), fresh, 0, fresh.size());
    leaves = std::move(fresh);
  }

  void spreadOne(const Region &region, LeafCopies<Traits> copies) {
    HEDDLE_ASSERT(region.settled && region.level > 0);
    copies.take(leaves, contents, region.first, end(region));
    spread(copies, copies.weight(), leaves, region.first, sizeOf(region));
  }

  Leaves<Traits> &leaves;
  const Density<Traits> &density;
  const Contents &contents;
};

} // namespace heddle::graph::detail

#endif
