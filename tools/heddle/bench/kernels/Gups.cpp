//===- Gups.cpp - HPCC RandomAccess: random updates of a table -----------===//

#include "Kernels.h"
#include "Scatter.h"

#include "../Random.h"

namespace heddle::bench {

namespace {

struct RandomAccess {
  uint64_t *table;
  uint64_t mask;
  uint64_t *updates;
  int64_t count;

  uint64_t *slotOf(int64_t i) const { return &table[updates[i] & mask]; }
  void run(Version version) const;
};

void RandomAccess::run(Version version) const {
  const auto slot = [this](int64_t i) { return slotOf(i); };
  const auto update = [this](int64_t i, uint64_t *slot) {
    *slot ^= updates[i];
  };
  const auto atomicUpdate = [this](int64_t i, uint64_t *slot) {
    __atomic_fetch_xor(slot, updates[i], __ATOMIC_RELAXED);
  };
  if (omp_get_max_threads() == 1)
    return scatter(version, 0, count, slot, update);
  sumOverThreads(0, count, [&](int64_t begin, int64_t end) {
    scatter(version, begin, end, slot, atomicUpdate);
    return 0;
  });
}

} // namespace

Workload buildGups(Arena &arena, WorkloadSize size) {
  const int64_t count = size.operations(1 << 21);
  const uint64_t length = nearestPowerOfTwo(size.bytes / sizeof(uint64_t));
  const RandomAccess access = {arena.allocate<uint64_t>(length), length - 1,
                               arena.allocate<uint64_t>(count), count};
  for (uint64_t i = 0; i < length; ++i)
    access.table[i] = i;
  for (int64_t i = 0; i < count; ++i)
    access.updates[i] = scramble(i);

  const auto run = [=](Version version) {
    if (isHandWritten(version))
      access.run(version);
    else
      loopsOf(version).gups(access.table, access.mask, access.updates, count);
    return 0;
  };
  const auto reset = [=] {
    for (int64_t i = 0; i < count; ++i)
      *access.slotOf(i) = access.updates[i] & access.mask;
  };
  // An even number of runs would undo itself.
  const auto checksum = [=](uint64_t) {
    uint64_t sum = 0;
    for (int64_t i = 0; i < count; ++i)
      sum += scramble(*access.slotOf(i));
    return sum;
  };
  return {count, run, reset, checksum};
}

} // namespace heddle::bench
