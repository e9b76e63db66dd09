//===- Random.h - Random numbers without state -----------------*- C++ -*-===//
//
// A number is computed from a seed and its index in the sequence, so that
// threads need not agree on which one draws next.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_RANDOM_H
#define HEDDLE_GRAPH_DETAIL_RANDOM_H

#include <cstdint>

namespace heddle::graph {

/// A bijection whose output looks random whatever the input (the finaliser of
/// splitmix64).
inline std::uint64_t scramble(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

/// The random numbers of one seed.
class RandomSequence {
public:
  explicit RandomSequence(std::uint64_t seed) : key(scramble(seed)) {}

  /// Element `index`.
  std::uint64_t operator[](std::uint64_t index) const {
    return scramble(scramble(index) ^ key);
  }

  /// Element `index` of a sequence of numbers below `bound`.
  std::uint64_t below(std::uint64_t bound, std::uint64_t index) const {
    const auto product = static_cast<unsigned __int128>((*this)[index]) * bound;
    return static_cast<std::uint64_t>(product >> 64);
  }

private:
  std::uint64_t key;
};

} // namespace heddle::graph

#endif
