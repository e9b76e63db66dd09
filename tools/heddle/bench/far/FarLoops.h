//===- FarLoops.h - The loops of `heddle bench far` ------------*- C++ -*-===//
//
// One source file, FarLoops.cpp, is compiled four times: with pointers to far
// memory and the directive, with such pointers and without it, with ordinary
// pointers to a file that is mapped, and with pointers whose every access is a
// call of SynchronousCache.h. Each compilation offers its functions as a table.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_FAR_FARLOOPS_H
#define HEDDLE_TOOLS_BENCH_FAR_FARLOOPS_H

#include <cstdint>

namespace heddle::bench {

/// The loops of one compilation. Addresses are numbers from which its pointers
/// are made. Loops run with the number of threads that is set for OpenMP.
struct FarLoops {
  /// The sum of table[index[i]].
  std::uint64_t (*gather)(std::uint64_t table, const std::uint64_t *index,
                          std::int64_t count);
  /// The sum of the values of keys in a table of HashLayout.
  std::uint64_t (*probe)(std::uint64_t heads, std::uint64_t nodes,
                         std::uint64_t buckets, const std::uint64_t *keys,
                         std::int64_t count);
  /// The sum of the values in lists of ListLayout.
  std::uint64_t (*lists)(std::uint64_t nodes, const std::uint64_t *firsts,
                         std::int64_t count);
  /// The sum of all numbers.
  std::uint64_t (*scan)(std::uint64_t table, std::int64_t count);
  /// Stores numberAt() of the index in each element.
  void (*fill)(std::uint64_t table, std::int64_t count);
};

extern const FarLoops heddleFarLoops, waitingFarLoops, mappedFarLoops,
    cachedFarLoops;

/// The number that fill() stores at index `i`.
inline std::uint64_t numberAt(std::uint64_t i) {
  return i * 0x9E3779B97F4A7C15;
}

} // namespace heddle::bench

#endif
