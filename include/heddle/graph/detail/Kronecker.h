//===- Kronecker.h - The edges of the generator of Graph500 ----*- C++ -*-===//

#ifndef HEDDLE_GRAPH_DETAIL_KRONECKER_H
#define HEDDLE_GRAPH_DETAIL_KRONECKER_H

#include "heddle/graph/detail/Random.h"

#include <cstdint>
#include <utility>

namespace heddle::graph::detail {

/// Shuffles the numbers of `bits` bits, each step being a bijection on them.
class Relabelling {
public:
  Relabelling(unsigned bits, std::uint64_t seed)
      : keys(seed), mask((std::uint64_t(1) << bits) - 1), shift(bits / 2 + 1) {}

  std::uint64_t operator()(std::uint64_t label) const {
    constexpr std::uint64_t rounds = 4;
    for (std::uint64_t round = 0; round < rounds; ++round) {
      const std::uint64_t key = keys[round];
      // An odd factor spreads each bit to those above it, the shift carries
      // them back down.
      label = (label * (key | 1) + (key >> 32)) & mask;
      label ^= label >> shift;
    }
    return label;
  }

private:
  RandomSequence keys;
  std::uint64_t mask;
  unsigned shift;
};

/// Returns the threshold below which a random number of 32 bits selects a
/// quadrant.
constexpr std::uint32_t kroneckerThreshold(double probability) {
  return static_cast<std::uint32_t>(probability * 4294967296.0);
}

/// Draws the quadrants of the adjacency matrix that an edge falls into, level
/// by level; 32 random bits decide on one.
class QuadrantWalk {
public:
  QuadrantWalk(unsigned levels, std::uint64_t seed)
      : levels(levels), random(seed) {}

  void draw(std::uint64_t edge, std::uint64_t &from, std::uint64_t &to) const {
    const std::uint64_t numbersPerEdge = (levels + 1) / 2;
    from = to = 0;
    for (unsigned level = 0; level < levels; ++level) {
      const std::uint64_t number = random[edge * numbersPerEdge + level / 2];
      const auto bits =
          static_cast<std::uint32_t>(level % 2 == 0 ? number : number >> 32);
      const bool isLower = bits >= TopQuadrants;
      const bool isRight = isLower ? bits >= LowerLeft : bits >= UpperLeft;
      from = from << 1 | isLower;
      to = to << 1 | isRight;
    }
  }

private:
  static constexpr std::uint32_t UpperLeft = kroneckerThreshold(0.57);
  static constexpr std::uint32_t TopQuadrants = kroneckerThreshold(0.57 + 0.19);
  static constexpr std::uint32_t LowerLeft =
      kroneckerThreshold(0.57 + 0.19 + 0.19);

  unsigned levels;
  RandomSequence random;
};

/// The edges of generateKronecker(), each computed from its number.
class KroneckerEdges {
public:
  KroneckerEdges(unsigned scale, std::uint64_t seed)
      : walk(scale, seed), relabelled(scale, ~seed) {}

  /// The ends of an edge.
  std::pair<std::uint64_t, std::uint64_t> operator[](std::uint64_t edge) const {
    std::uint64_t from, to;
    walk.draw(edge, from, to);
    return {relabelled(from), relabelled(to)};
  }

private:
  QuadrantWalk walk;
  Relabelling relabelled;
};

} // namespace heddle::graph::detail

#endif
