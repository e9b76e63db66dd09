//===- Random.h - Reproducible random data ---------------------*- C++ -*-===//
//
// Benchmark data is a pure function of a seed and an index, so that every run
// sees the same data however it is built.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_RANDOM_H
#define HEDDLE_TOOLS_BENCH_RANDOM_H

#include "heddle/graph/detail/Random.h"

#include <array>
#include <bit>
#include <cstdint>

namespace heddle::bench {

using graph::scramble;

/// The `index`-th random value below `bound` of the stream `seed`.
inline uint64_t randomBelow(uint64_t seed, uint64_t index, uint64_t bound) {
  uint64_t value = scramble(scramble(seed) ^ index);
  return static_cast<uint64_t>(
      (static_cast<unsigned __int128>(value) * bound) >> 64);
}

/// A pseudo-random permutation of 0 .. size-1 that needs no memory: scatters
/// nodes that are made in order.
class Permutation {
public:
  explicit Permutation(uint64_t size)
      : size(size), mask(std::bit_ceil(size < 2 ? 2 : size) - 1),
        shift(static_cast<unsigned>(std::bit_width(mask)) / 2) {
    if (shift == 0)
      shift = 1;
  }

  uint64_t operator()(uint64_t index) const {
    // Values past the end walk on along their cycle until they are inside.
    do {
      for (uint64_t factor : Factors) {
        index = (index * factor + Addend) & mask;
        index ^= index >> shift;
      }
    } while (index >= size);
    return index;
  }

  /// Returns the index that operator() maps to `value`.
  uint64_t inverse(uint64_t value) const {
    do {
      for (uint64_t i = Factors.size(); i-- > 0;) {
        uint64_t shifted = value;
        while ((shifted >>= shift) != 0)
          value ^= shifted;
        value = ((value - Addend) * inverseOf(Factors[i])) & mask;
      }
    } while (value >= size);
    return value;
  }

private:
  static constexpr std::array<uint64_t, 3> Factors = {
      0x9E3779B97F4A7C15, 0xD1342543DE82EF95, 0xAF251AF3B0F025B5};
  static constexpr uint64_t Addend = 0x632BE5AB;

  /// Returns the inverse of an odd number modulo 2^64, by Newton's method: each
  /// step doubles the number of correct bits, of which an odd number itself has
  /// three.
  static constexpr uint64_t inverseOf(uint64_t factor) {
    uint64_t inverse = factor;
    for (int step = 0; step < 5; ++step)
      inverse *= 2 - factor * inverse;
    return inverse;
  }

  uint64_t size, mask;
  unsigned shift;
};

} // namespace heddle::bench

#endif
