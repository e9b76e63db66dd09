//===- Stream.cpp - STREAM: copy, scale, add, triad ----------------------===//
//
// Sequential accesses, which the hardware prefetches: nothing to interleave.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "../Random.h"

#include <bit>

namespace heddle::bench {

Workload buildStream(Arena &arena, WorkloadSize size) {
  const auto length = static_cast<int64_t>(size.bytes / 3 / sizeof(double));
  double *a = arena.allocate<double>(length);
  double *b = arena.allocate<double>(length);
  double *c = arena.allocate<double>(length);
  const auto run = [=](Version version) {
    // With this scalar a run negates a, exactly, however often it is run.
    loopsOf(version).stream(a, b, c, -1, length);
    return 0;
  };
  const auto reset = [=] {
    for (int64_t i = 0; i < length; ++i) {
      a[i] = 1 + static_cast<double>(i % 1000) / 1000;
      b[i] = c[i] = 0;
    }
  };
  const auto checksum = [=](uint64_t) {
    return sumOf(a, length) + sumOf(b, length) + sumOf(c, length);
  };
  return {4 * length, run, reset, checksum, SequentialVersions};
}

} // namespace heddle::bench
