//===- pma/Density.h - How full and how empty nodes may be -----*- C++ -*-===//
//
// The leaves are those of an implicit binary tree: node i of level l has the
// leaves from i * 2^l on, 2^l of them or as many as there are. A node's
// elements may take between a lowest and a highest number of bytes a leaf; the
// higher a node, the closer these are. Which they are follows from two
// conditions: what has been spread over the leaves of a node within bounds
// leaves each of them within its own, and no leaf without an element.
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

/// The bounds for leaves of one kind. Densities are in bytes a leaf.
template <typename Traits> class Density {
public:
  static constexpr double LowestFactor = 1.05, HighestFactor = 4;

  /// Throws Error if an array cannot grow by such a factor.
  explicit Density(double growingFactor) : factor(growingFactor) {
    if (!(growingFactor >= LowestFactor && growingFactor <= HighestFactor))
      throw Error("growing factor " + std::to_string(growingFactor) +
                  ": expected 1.05 to 4");
    rootLow = std::max(rootHigh() / (2 * growingFactor), LeastSpread);
    afterGrowth = std::max(rootHigh() / growingFactor, 1.25 * rootLow);
    HEDDLE_ASSERT(rootLow < afterGrowth && afterGrowth <= rootHigh());
    HEDDLE_ASSERT(leafLow() <= pairLow() && pairLow() <= rootLow);
  }

  /// The level of the root: that of a single leaf is 0.
  static unsigned rootLevel(std::size_t leaves) {
    HEDDLE_ASSERT(leaves > 0);
    return static_cast<unsigned>(std::bit_width(leaves - 1));
  }

  /// Whether a leaf is within bounds; one that is alone may be almost empty.
  bool leafIsWithin(unsigned rootLevel, std::size_t load,
                    std::size_t count) const {
    return count > 0 && load <= Traits::MostLoad &&
           (rootLevel == 0 || static_cast<double>(load) >= leafLow());
  }

  /// Whether the load of a node of `leaves` leaves is within bounds, and can
  /// thus be spread over them. `level` is at least 1.
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

  /// How many leaves an array should have that is made anew. `load` is what all
  /// elements take but one in each of `heads` leaves; these may take
  /// MostCodeBytes more each. Neither array nor leaves will be out of bounds.
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

  /// The density that an array should have that is out of bounds, with its
  /// elements taking `before` bytes a leaf: it grows by the factor, if that is
  /// enough.
  double resized(double before) const {
    return std::clamp(before / factor, afterGrowth,
                      (afterGrowth + rootHigh()) / 2);
  }

  /// The density of an array that is built from all of its elements. It may
  /// have to grow soon, but need not.
  double built() const { return std::max(rootHigh(), afterGrowth); }

  /// The density of an array that is to take as little memory as it can. The
  /// root is out of bounds: the first update that has to spread anything grows
  /// it.
  static constexpr double packed() { return MostSpread; }

  /// What elements weigh at most of which the first one of each of `heads`
  /// leaves has no code.
  static std::size_t mostWeight(std::size_t load, std::size_t heads) {
    return load + heads * Traits::Codec::MostCodeBytes;
  }

private:
  /// What may be spread over leaves: as elements stay whole, a leaf may get one
  /// more than its share, and a head that becomes a code. And what must be, so
  /// that each gets one.
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

  /// The number nearest to `leaves` over which such a weight can be spread.
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
