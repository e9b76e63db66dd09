//===- Kernels.h - The kernels of `heddle bench kernels` -------*- C++ -*-===//
//
// One builder a kernel. Each is defined in the file of its name, beside the
// kernel's data and its hand-written versions.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_KERNELS_KERNELS_H
#define HEDDLE_TOOLS_BENCH_KERNELS_KERNELS_H

#include "../Random.h"
#include "../measure/Workload.h"
#include "Loops.h"

#include <bit>

namespace heddle::bench {

KernelBuilder buildBPlusTree, buildBfs, buildBinarySearch, buildGups,
    buildHashJoin, buildHashJoinOfFour, buildIntegerSort, buildLbm,
    buildLinkedList, buildMcf, buildStream;

/// The compilation that a version which is not written by hand comes from.
inline const Loops &loopsOf(Version version) {
  return version == Version::Heddle ? heddleLoops : serialLoops;
}

/// The versions of a kernel with sequential accesses: interleaving by hand does
/// not apply.
inline constexpr std::array SequentialVersions = {Version::Serial,
                                                  Version::Heddle};

/// The power of two next to `value`, for data structures that need one.
inline uint64_t nearestPowerOfTwo(uint64_t value) {
  const uint64_t above = std::bit_ceil(value);
  return above - value > value - above / 2 ? above / 2 : above;
}

/// A checksum of the bits of all values, in their places.
inline uint64_t sumOf(const double *values, int64_t count) {
  uint64_t sum = 0;
  for (int64_t i = 0; i < count; ++i)
    sum += scramble(std::bit_cast<uint64_t>(values[i]) ^ i);
  return sum;
}

} // namespace heddle::bench

#endif
