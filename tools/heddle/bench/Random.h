//===- Random.h - Reproducible random data ---------------------*- C++ -*-===//
//
// Benchmark data is a pure function of a seed and an index, so that every run
// sees the same data however it is built.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_RANDOM_H
#define HEDDLE_TOOLS_BENCH_RANDOM_H

#include <bit>
#include <cstdint>
#include <initializer_list>

namespace heddle::bench {

/// A bijection on 64-bit values whose output looks random (the finaliser of
/// splitmix64).
inline uint64_t mix(uint64_t value) {
  value += 0x9E3779B97F4A7C15;
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
  return value ^ (value >> 31);
}

/// The `index`-th random value below `bound` of the stream `seed`.
inline uint64_t randomBelow(uint64_t seed, uint64_t index, uint64_t bound) {
  uint64_t value = mix(mix(seed) ^ index);
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
      for (uint64_t factor :
           {0x9E3779B97F4A7C15, 0xD1342543DE82EF95, 0xAF251AF3B0F025B5}) {
        index = (index * factor + 0x632BE5AB) & mask;
        index ^= index >> shift;
      }
    } while (index >= size);
    return index;
  }

private:
  uint64_t size, mask;
  unsigned shift;
};

} // namespace heddle::bench

#endif
