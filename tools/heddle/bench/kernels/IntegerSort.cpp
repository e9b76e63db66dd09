//===- IntegerSort.cpp - NPB IS: ranks of keys by counting ---------------===//

#include "Kernels.h"
#include "Scatter.h"

#include "../Random.h"

#include <algorithm>

namespace heddle::bench {

namespace {

/// The keys to be sorted and what is made of them.
struct Sort {
  int64_t bins, count;
  const uint32_t *keys;
  uint32_t *counts; ///< `bins` for each thread
  uint32_t *ranks;

  void run(Version version) const;
  void sumUp(int threads) const;
};

void Sort::run(Version version) const {
#pragma omp parallel
  {
    const int threads = omp_get_num_threads();
    const int thread = omp_get_thread_num();
    const int64_t begin = count * thread / threads;
    const int64_t end = count * (thread + 1) / threads;
    uint32_t *mine = counts + thread * bins;
    const auto slotOf = [this, mine](int64_t i) { return &mine[keys[i]]; };
    std::fill(mine, mine + bins, 0);
    scatter(version, begin, end, slotOf,
            [](int64_t, uint32_t *slot) { ++*slot; });
#pragma omp barrier
#pragma omp single
    sumUp(threads);
    scatter(version, begin, end, slotOf,
            [this](int64_t i, uint32_t *slot) { ranks[i] = (*slot)++; });
  }
}

/// Replaces each counter by the number of keys that come before its own.
void Sort::sumUp(int threads) const {
  uint32_t below = 0;
  for (int64_t bin = 0; bin < bins; ++bin)
    for (int thread = 0; thread < threads; ++thread) {
      const uint32_t here = counts[thread * bins + bin];
      counts[thread * bins + bin] = below;
      below += here;
    }
}

} // namespace

Workload buildIntegerSort(Arena &arena, WorkloadSize size) {
  const auto bins = static_cast<int64_t>(size.bytes / 2 / sizeof(uint32_t));
  const int64_t count = std::min(bins, size.operations(1 << 23));
  uint32_t *counts = arena.allocate<uint32_t>(bins * size.threads);
  uint32_t *keys = arena.allocate<uint32_t>(count);
  uint32_t *ranks = arena.allocate<uint32_t>(count);
  // As in NPB, a key is the mean of four random numbers.
  for (int64_t i = 0; i < count; ++i) {
    uint64_t sum = 0;
    for (uint64_t part = 0; part < 4; ++part)
      sum += randomBelow(6 + part, i, bins);
    keys[i] = static_cast<uint32_t>(sum / 4);
  }
  const Sort sort = {bins, count, keys, counts, ranks};
  const auto run = [=](Version version) {
    if (isHandWritten(version))
      sort.run(version);
    else
      loopsOf(version).integerSort(keys, count, counts, bins, ranks);
    return 0;
  };
  // Equal keys may be ranked in any order among themselves.
  const auto checksum = [=](uint64_t) {
    uint64_t sum = 0;
    for (int64_t i = 0; i < count; ++i)
      sum += scramble(keys[i]) * (ranks[i] + 1);
    return sum;
  };
  return {count, run, [=] { std::fill(ranks, ranks + count, 0); }, checksum};
}

} // namespace heddle::bench
