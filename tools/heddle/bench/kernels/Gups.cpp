//===- Gups.cpp - HPCC RandomAccess: random updates of a table -----------===//

#include "Kernels.h"
#include "Scatter.h"

#include "../Random.h"

namespace heddle::bench {

namespace {

class Gups final : public LoopWorkload {
public:
  Gups(Arena &arena, WorkloadSize size) : count(size.operations(1 << 21)) {
    const uint64_t length = nearestPowerOfTwo(size.bytes / sizeof(uint64_t));
    mask = length - 1;
    table = arena.allocate<uint64_t>(length);
    for (uint64_t i = 0; i < length; ++i)
      table[i] = i;
    updates = arena.allocate<uint64_t>(count);
    for (int64_t i = 0; i < count; ++i)
      updates[i] = scramble(i);
  }

  int64_t operations() const override { return count; }

  void reset() override {
    for (int64_t i = 0; i < count; ++i)
      table[updates[i] & mask] = updates[i] & mask;
  }

  /// An even number of runs would undo itself.
  uint64_t checksum(uint64_t) override {
    uint64_t sum = 0;
    for (int64_t i = 0; i < count; ++i)
      sum += scramble(table[updates[i] & mask]);
    return sum;
  }

  uint64_t runLoop(const Loops &loops) override {
    loops.gups(table, mask, updates, count);
    return 0;
  }

  uint64_t runByHand(Version version) override {
    const auto slotOf = [this](int64_t i) { return &table[updates[i] & mask]; };
    const auto update = [this](int64_t i, uint64_t *slot) {
      *slot ^= updates[i];
    };
    const auto atomicUpdate = [this](int64_t i, uint64_t *slot) {
      __atomic_fetch_xor(slot, updates[i], __ATOMIC_RELAXED);
    };
    if (omp_get_max_threads() == 1) {
      scatter(version, 0, count, slotOf, update);
      return 0;
    }
    return sumOverThreads(0, count, [&](int64_t begin, int64_t end) {
      scatter(version, begin, end, slotOf, atomicUpdate);
      return 0;
    });
  }

private:
  uint64_t *table;
  uint64_t mask;
  uint64_t *updates;
  int64_t count;
};

} // namespace

Kernel gupsKernel() {
  return {"gups", "update", "random updates of a table (HPCC RandomAccess)",
          build<Gups>};
}

} // namespace heddle::bench
