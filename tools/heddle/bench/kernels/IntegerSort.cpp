//===- IntegerSort.cpp - NPB IS: ranks of keys by counting ---------------===//

#include "Kernels.h"
#include "Scatter.h"

#include "../Random.h"

#include <algorithm>

namespace heddle::bench {

namespace {

class IntegerSort final : public LoopWorkload {
public:
  IntegerSort(Arena &arena, WorkloadSize size)
      : bins(static_cast<int64_t>(size.bytes / 2 / sizeof(uint32_t))),
        count(std::min(bins, size.operations(1 << 23))) {
    counts = arena.allocate<uint32_t>(bins * size.threads);
    keys = arena.allocate<uint32_t>(count);
    ranks = arena.allocate<uint32_t>(count);
    // As in NPB, a key is the mean of four random numbers.
    for (int64_t i = 0; i < count; ++i) {
      uint64_t sum = 0;
      for (uint64_t part = 0; part < 4; ++part)
        sum += randomBelow(6 + part, i, bins);
      keys[i] = static_cast<uint32_t>(sum / 4);
    }
  }

  int64_t operations() const override { return count; }

  void reset() override { std::fill(ranks, ranks + count, 0); }

  /// Equal keys may be ranked in any order among themselves.
  uint64_t checksum(uint64_t) override {
    uint64_t sum = 0;
    for (int64_t i = 0; i < count; ++i)
      sum += scramble(keys[i]) * (ranks[i] + 1);
    return sum;
  }

  uint64_t runLoop(const Loops &loops) override {
    loops.integerSort(keys, count, counts, bins, ranks);
    return 0;
  }

  uint64_t runByHand(Version version) override {
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
    return 0;
  }

private:
  /// Replaces each counter by the number of keys that come before its own.
  void sumUp(int threads) {
    uint32_t below = 0;
    for (int64_t bin = 0; bin < bins; ++bin)
      for (int thread = 0; thread < threads; ++thread) {
        const uint32_t here = counts[thread * bins + bin];
        counts[thread * bins + bin] = below;
        below += here;
      }
  }

  int64_t bins;
  int64_t count;
  uint32_t *counts;
  uint32_t *keys;
  uint32_t *ranks;
};

} // namespace

Kernel integerSortKernel() {
  return {"is", "key", "integer sort: ranks of keys by counting (NPB IS)",
          build<IntegerSort>};
}

} // namespace heddle::bench
