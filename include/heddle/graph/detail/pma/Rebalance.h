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

/// Copies a leaf to `to`, as a whole: reading a code may touch bytes behind the
/// codes.
template <typename Traits>
LeafView<Traits> copied(LeafView<Traits> leaf, std::byte *to) {
  std::memcpy(to, leaf.codes - Traits::FrontBytes, Traits::LeafBytes);
  to += Traits::FrontBytes;
  leaf.values = to + (leaf.values - leaf.codes);
  leaf.codes = to;
  return leaf;
}

/// Memory for lists of segments, one per thread.
template <typename Traits> struct SegmentSpace {
  SegmentSpace() = default;

  /// For up to `leaves` copies of leaves and `segments` segments per thread.
  /// Throws std::bad_alloc.
  SegmentSpace(std::size_t leaves, std::size_t segments, std::size_t threads)
      : leaves(leaves), segments(segments),
        copies(leaves * threads * Traits::LeafBytes), views(segments * threads),
        weights(segments * threads) {}

  std::size_t leaves = 0, segments = 0;
  Array<std::byte> copies;
  Array<LeafView<Traits>> views;
  Array<std::size_t> weights;
};

/// Elements of leaves or of what replaces them. A source of spread().
template <typename Traits> class SegmentList {
public:
  std::size_t weight() const { return totalWeight; }
  std::size_t segments() const { return count; }
  const LeafView<Traits> &view(std::size_t i) const { return views[i]; }
  std::size_t before(std::size_t i) const { return weights[i]; }
  auto stream(std::size_t i) const {
    return LeafStream<Traits, SegmentList>(*this, i);
  }

protected:
  SegmentList(SegmentSpace<Traits> &space, std::size_t thread)
      : copies(space.copies.data() + thread * space.leaves * Traits::LeafBytes),
        views(space.views.data() + thread * space.segments),
        weights(space.weights.data() + thread * space.segments) {}

  std::byte *copies; ///< room for them
  LeafView<Traits> *views;
  std::size_t *weights; ///< of what is before
  std::size_t count = 0, totalWeight = 0;
};

/// The leaves of a region, copied.
template <typename Traits> class LeafCopies : public SegmentList<Traits> {
public:
  /// Copies the leaves `first` to `last` - 1. `viewOf(leaf)` returns the
  /// elements of a leaf; elements that are stored outside of `leaves` are not
  /// copied.
  template <typename ViewOf>
  LeafCopies(const Leaves<Traits> &leaves, const ViewOf &viewOf,
             std::size_t first, std::size_t last, SegmentSpace<Traits> &space,
             std::size_t thread)
      : SegmentList<Traits>(space, thread) {
    constexpr std::size_t leavesAtOnce = 256;
    HEDDLE_ASSERT(first < last && last <= leaves.size());
    this->count = last - first;
    const auto copy = [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        LeafView<Traits> &view = this->views[i] = viewOf(first + i);
        if (view.codes == leaves.codes(first + i))
          view = copied(view, this->copies + i * Traits::LeafBytes);
        this->weights[i] = weightOf(view);
      }
    };
    forEachRange(this->count, leavesAtOnce, true, copy);
    for (std::size_t i = 0; i < this->count; ++i)
      this->totalWeight += std::exchange(this->weights[i], this->totalWeight);
  }
};

/// All leaves of an array, in place. A source of spread().
template <typename Traits, typename ViewOf> class AllLeaves {
public:
  /// `viewOf(leaf)` tells the elements of a leaf. Throws std::bad_alloc.
  AllLeaves(std::size_t leaves, const ViewOf &viewOf)
      : viewOf(viewOf), weights(leaves) {
    std::size_t load = 0, heads = 0;
#pragma omp parallel for reduction(+ : load, heads)
    for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
      const LeafView<Traits> view = viewOf(leaf);
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
  LeafView<Traits> view(std::size_t i) const { return viewOf(i); }
  std::size_t before(std::size_t i) const { return weights[i]; }
  auto stream(std::size_t i) const {
    return LeafStream<Traits, AllLeaves>(*this, i);
  }

private:
  const ViewOf &viewOf;
  Array<std::uint64_t> weights; ///< at first; later of the leaves before
  std::size_t allLoad, allHeads, total;
};

/// Spreads the elements of regions. `viewOf(leaf)` returns the elements of a
/// leaf.
template <typename Traits, typename ViewOf> class Rebalance {
public:
  Rebalance(Leaves<Traits> &leaves, const Density<Traits> &density,
            const ViewOf &viewOf)
      : leaves(leaves), density(density), viewOf(viewOf) {}

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
    // A large region uses the memory of all threads.
    const std::size_t each =
        std::max(largestSmall, (largest + threads - 1) / threads);
    SegmentSpace<Traits> space(each, each, threads);

    for (const Region &region : regions)
      if (!isSmall(region))
        spreadOne(region, space, 0);
    forEachTask(regions.size(), threads > 1, [&](std::size_t i) {
      if (isSmall(regions[i]))
        spreadOne(regions[i], space,
                  static_cast<std::size_t>(omp_get_thread_num()));
    });
  }

private:
  /// One thread spreads a small region; all threads spread a large one
  /// together.
  static constexpr unsigned HighestSmallLevel = 8;

  static bool isSmall(const Region &region) {
    return region.level <= HighestSmallLevel;
  }
  std::size_t sizeOf(const Region &region) const {
    return region.end(leaves.size()) - region.first;
  }

  void rebuild(std::size_t count) {
    const AllLeaves<Traits, ViewOf> all(leaves.size(), viewOf);
    const double before =
        static_cast<double>(all.load()) / static_cast<double>(leaves.size());
    Leaves<Traits> fresh(density.leavesFor(all.load(), all.heads(), count,
                                           density.resized(before)));
    spread(all, all.weight(), fresh, 0, fresh.size());
    leaves = std::move(fresh);
  }

  void spreadOne(const Region &region, SegmentSpace<Traits> &space,
                 std::size_t thread) {
    HEDDLE_ASSERT(region.settled && region.level > 0);
    const LeafCopies<Traits> copies(leaves, viewOf, region.first,
                                    region.end(leaves.size()), space, thread);
    spread(copies, copies.weight(), leaves, region.first, sizeOf(region));
  }

  Leaves<Traits> &leaves;
  const Density<Traits> &density;
  const ViewOf &viewOf;
};

} // namespace heddle::graph::detail

#endif
