//===- Kronecker.h - The edges of the generator of Graph500 ----*- C++ -*-===//

#ifndef HEDDLE_GRAPH_DETAIL_KRONECKER_H
#define HEDDLE_GRAPH_DETAIL_KRONECKER_H

#include "heddle/graph/detail/Random.h"

#include <cstdint>
#include <utility>

namespace heddle::graph::detail {

/// The edges of generateKronecker(), each computed from its number.
class KroneckerEdges {
public:
  KroneckerEdges(unsigned scale, std::uint64_t seed)
      : levels(scale), random(seed), keys(~seed) {}

  /// The ends of an edge. Draws the quadrants of the adjacency matrix that it
  /// falls into, level by level; 32 random bits decide on one.
  std::pair<std::uint64_t, std::uint64_t> operator[](std::uint64_t edge) const {
    const std::uint64_t numbersPerEdge = (levels + 1) / 2;
    std::uint64_t from = 0, to = 0;
    for (unsigned level = 0; level < levels; ++level) {
      const std::uint64_t number = random[edge * numbersPerEdge + level / 2];
      const auto bits =
          static_cast<std::uint32_t>(level % 2 == 0 ? number : number >> 32);
      const bool isLower = bits >= TopQuadrants;
      const bool isRight = isLower ? bits >= LowerLeft : bits >= UpperLeft;
      from = from << 1 | isLower;
      to = to << 1 | isRight;
    }
    return {relabelled(from), relabelled(to)};
  }

private:
  /// Shuffles the vertices, each step being a bijection on them.
  std::uint64_t relabelled(std::uint64_t label) const {
    constexpr std::uint64_t rounds = 4;
    const std::uint64_t mask = (std::uint64_t(1) << levels) - 1;
    for (std::uint64_t round = 0; round < rounds; ++round) {
      const std::uint64_t key = keys[round];
      // An odd factor spreads each bit to those above it, the shift carries
      // them back down.
      label = (label * (key | 1) + (key >> 32)) & mask;
      label ^= label >> (levels / 2 + 1);
    }
    return label;
  }

  // Where a random number of 32 bits leaves each quadrant for the next.
  static constexpr double Numbers = 0x1p32;
  static constexpr auto UpperLeft = static_cast<std::uint32_t>(0.57 * Numbers);
  static constexpr auto TopQuadrants =
      static_cast<std::uint32_t>((0.57 + 0.19) * Numbers);
  static constexpr auto LowerLeft =
      static_cast<std::uint32_t>((0.57 + 0.19 + 0.19) * Numbers);

  unsigned levels;
  RandomSequence random, keys;
};

} // namespace heddle::graph::detail

#endif
