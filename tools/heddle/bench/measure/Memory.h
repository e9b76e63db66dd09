//===- Memory.h - Benchmark data on a chosen page size ---------*- C++ -*-===//
//
// All versions of a kernel work on the same data in the same memory, so that
// page size is a property of the measurement and never of a version. An Arena
// is one anonymous mapping, advised once to use huge pages or to avoid them,
// from which a workload takes its arrays. Memory is zero and is returned when
// the Arena goes away.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_MEASURE_MEMORY_H
#define HEDDLE_TOOLS_BENCH_MEASURE_MEMORY_H

#include "Row.h"

#include <cstddef>
#include <type_traits>

namespace heddle::bench {

class Arena {
public:
  /// Reserves address space for `capacity` bytes. Throws Error.
  Arena(size_t capacity, Pages pages);
  ~Arena();
  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;

  /// An array of `count` zeroed elements. Throws Error when the reservation is
  /// used up.
  template <class T> T *allocate(size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    return static_cast<T *>(allocateBytes(count * sizeof(T)));
  }

  /// The share of the memory handed out that is on huge pages now, 0 to 1.
  double hugeShare() const;

private:
  void *allocateBytes(size_t bytes);

  char *mapping = nullptr;
  size_t mappingBytes = 0;
  char *base = nullptr;
  size_t capacity;
  size_t used = 0;
};

/// Memory that can be used without swapping, in bytes.
uint64_t availableMemory();

/// The size of the last-level cache in bytes, 0 when it is not known.
uint64_t lastLevelCache();

} // namespace heddle::bench

#endif
