//===- pma/Density.h - Bounds of the fill of nodes -------------*- C++ -*-===//
//
// The leaves of an array form an implicit binary tree: node i of level l covers
// the 2^l leaves from i * 2^l on, or fewer at the end of the array. The density
// of a node is the number of bytes that its elements take, divided by the
// number of its leaves. It has a lower and an upper bound, which come closer to
// each other with the level. The bounds follow from two conditions: spreading
// the elements of a node that is within bounds evenly brings each of its leaves
// within bounds, and leaves no leaf empty.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_PMA_DENSITY_H
#define HEDDLE_GRAPH_DETAIL_PMA_DENSITY_H

#include "heddle/graph/Error.h"
#include "heddle/graph/detail/Assert.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <string>

namespace heddle::graph::detail {

/// The bounds for one kind of leaves. Densities are in bytes per leaf.
template <typename Traits> class Density {
public:
  static constexpr double LowestFactor = 1.05, HighestFactor = 4;

  /// Throws Error unless the factor is between LowestFactor and HighestFactor.
  explicit Density(double growingFactor) : factor(growingFactor) {
    if (!(growingFactor >= LowestFactor && growingFactor <= HighestFactor))
      throw Error("growing factor " + std::to_string(growingFactor) +
                  ": expected 1.05 to 4");
    rootLow = std::max(rootHigh() / (2 * growingFactor), LeastSpread);
    afterGrowth = std::max(rootHigh() / growingFactor, 1.25 * rootLow);
    HEDDLE_ASSERT(rootLow < afterGrowth && afterGrowth <= rootHigh());
    HEDDLE_ASSERT(leafLow() <= pairLow() && pairLow() <= rootLow);
  }

  /// The level of the root, 0 for a single leaf.
  static unsigned rootLevel(std::size_t leaves) {
    HEDDLE_ASSERT(leaves > 0);
    return static_cast<unsigned>(std::bit_width(leaves - 1));
  }

  /// Whether a leaf is within bounds. The only leaf of an array has no lower
  /// bound, but must not be empty.
  bool leafIsWithin(unsigned rootLevel, std::size_t load,
                    std::size_t count) const {
    return count > 0 && load <= Traits::MostLoad &&
           (rootLevel == 0 || static_cast<double>(load) >= leafLow());
  }

  /// Whether a node of `leaves` leaves is within bounds if its elements take
  /// `load` bytes. They can then be spread over its leaves. `level` is at least
  /// 1.
  bool isWithin(unsigned rootLevel, unsigned level, std::size_t leaves,
                std::size_t load) const {
    HEDDLE_ASSERT(level >= 1 && level <= rootLevel && leaves > 0);
    const double height =
        rootLevel > 1 ? (level - 1.0) / (rootLevel - 1.0) : 1.0;
    const double high = MostSpread + (rootHigh() - MostSpread) * height;
    const double low = pairLow() + (rootLow - pairLow()) * height;
    const double density =
        static_cast<double>(load) / static_cast<double>(leaves);
    return density >= low && density <= high;
  }

  /// Returns the number of leaves for a new array of `count` elements. `load`
  /// is the size of the elements while the first one of each of `heads` leaves
  /// has no code; each of these may take MostCodeBytes more in the new array.
  /// Neither the array nor its leaves will be out of bounds.
  std::size_t leavesFor(std::size_t load, std::size_t heads, std::size_t count,
                        double density) const {
    HEDDLE_ASSERT(heads <= count && count > 0 && density <= MostSpread);
    const std::size_t most = mostWeight(load, heads);
    const double perElement =
        count > heads
            ? static_cast<double>(load) / static_cast<double>(count - heads)
            : Traits::MostElementBytes;
    const double all =
        static_cast<double>(load) + perElement * static_cast<double>(heads);
    const auto leaves =
        static_cast<std::size_t>(std::ceil(all / (density + perElement)));
    return feasible(std::max<std::size_t>(leaves, 1), most);
  }

  /// The new density of an array that is out of bounds at the density `before`.
  /// It grows by the growing factor, if that is enough.
  double resized(double before) const {
    return std::clamp(before / factor, afterGrowth,
                      (afterGrowth + rootHigh()) / 2);
  }

  /// The density of an array that is built from all of its elements. It is as
  /// high as the upper bound of the root allows.
  double built() const { return std::max(rootHigh(), afterGrowth); }

  /// The highest density that leaves allow, for an array that takes the least
  /// memory. The root is out of bounds: the first update that has to spread
  /// elements makes the array grow.
  static constexpr double packed() { return MostSpread; }

  /// The highest weight of elements that take `load` bytes while the first one
  /// of each of `heads` leaves has no code.
  static std::size_t mostWeight(std::size_t load, std::size_t heads) {
    return load + heads * Traits::Codec::MostCodeBytes;
  }

private:
  /// The highest and lowest density at which elements can be spread. As
  /// elements stay whole, a leaf may get one element more than its share, and a
  /// head that becomes a code; and every leaf must get an element.
  static constexpr double MostSpread =
      double(Traits::MostLoad - Traits::MostElementBytes - 1);
  static constexpr double LeastSpread = double(Traits::MostElementBytes);

  static constexpr double RootDensity = 0.84;

  static constexpr double rootHigh() {
    return std::min(RootDensity * Traits::DataBytes, MostSpread);
  }
  double pairLow() const { return std::max(rootLow * 2 / 3, LeastSpread); }
  double leafLow() const {
    return std::max(pairLow() - 2.0 * Traits::MostElementBytes, 0.0);
  }

  /// The number of leaves nearest to `leaves` over which `weight` can be
  /// spread.
  static std::size_t feasible(std::size_t leaves, std::size_t weight) {
    const auto mostSpread = static_cast<std::size_t>(MostSpread);
    leaves = std::max(leaves, (weight + mostSpread - 1) / mostSpread);
    leaves = std::max<std::size_t>(
        std::min(leaves, weight / Traits::MostElementBytes), 1);
    HEDDLE_ASSERT(weight <= leaves * mostSpread);
    return leaves;
  }

  double factor, rootLow, afterGrowth;
};

} // namespace heddle::graph::detail

#endif
