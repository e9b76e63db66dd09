//===- Scatter.h - Interleaved accesses to one address each ------*- C++ -*-//
//
// GUPS and the two loops of an integer sort do the same thing in each
// iteration: find a slot, then update it. The three hand-written ways to do
// that with the slot's cache line requested ahead.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_KERNELS_SCATTER_H
#define HEDDLE_TOOLS_BENCH_KERNELS_SCATTER_H

#include "Coroutine.h"

#include <algorithm>

namespace heddle::bench {

template <class Slot, class Update>
Operation scatterCoroutine(int64_t index, Slot *slot, const Update &update) {
  prefetchForWriting(slot);
  co_await std::suspend_always{};
  update(index, slot);
}

/// Calls update(index, slotOf(index)) for each index in [begin, end).
template <class SlotOf, class Update>
void scatterWithCoroutines(int64_t begin, int64_t end, const SlotOf &slotOf,
                           const Update &update) {
  roundRobin(begin, end, [&](int64_t i, uint64_t &) {
    return scatterCoroutine(i, slotOf(i), update);
  });
}

template <class SlotOf, class Update>
void scatterWithFifo(int64_t begin, int64_t end, const SlotOf &slotOf,
                     const Update &update) {
  struct Context {
    int64_t index;
    decltype(slotOf(begin)) slot;
  } ring[FifoInFlight];
  int64_t next = begin;
  const auto launch = [&](Context &context) {
    context = {next, slotOf(next)};
    prefetchForWriting(context.slot);
    ++next;
  };
  int live = 0;
  while (live < FifoInFlight && next < end)
    launch(ring[live++]);
  int turn = 0;
  while (next < end) {
    update(ring[turn].index, ring[turn].slot);
    launch(ring[turn]);
    turn = turn + 1 == live ? 0 : turn + 1;
  }
  for (int left = live; left > 0; --left) {
    update(ring[turn].index, ring[turn].slot);
    turn = turn + 1 == live ? 0 : turn + 1;
  }
}

/// Slots are cheap to find again, so the queue is just a range of indices; a
/// group is updated after the next one has been requested.
template <class SlotOf, class Update>
void scatterWithPhaseQueue(int64_t begin, int64_t end, const SlotOf &slotOf,
                           const Update &update) {
  constexpr int64_t half = PhaseQueueInFlight / 2;
  for (int64_t i = begin; i < std::min(begin + half, end); ++i)
    prefetchForWriting(slotOf(i));
  for (int64_t group = begin; group < end; group += half) {
    const int64_t groupEnd = std::min(group + half, end);
    for (int64_t i = groupEnd; i < std::min(groupEnd + half, end); ++i)
      prefetchForWriting(slotOf(i));
    for (int64_t i = group; i < groupEnd; ++i)
      update(i, slotOf(i));
  }
}

template <class SlotOf, class Update>
void scatter(Version version, int64_t begin, int64_t end, const SlotOf &slotOf,
             const Update &update) {
  switch (version) {
  case Version::Coroutines:
    return scatterWithCoroutines(begin, end, slotOf, update);
  case Version::Fifo:
    return scatterWithFifo(begin, end, slotOf, update);
  default:
    return scatterWithPhaseQueue(begin, end, slotOf, update);
  }
}

} // namespace heddle::bench

#endif
