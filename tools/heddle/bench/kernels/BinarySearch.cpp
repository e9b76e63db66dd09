//===- BinarySearch.cpp - Searches in a sorted array ----------------------===//

#include "Coroutine.h"
#include "Kernels.h"

#include "../Random.h"

#include <algorithm>
#include <type_traits>

namespace heddle::bench {

namespace {

struct SortedArray {
  const uint64_t *values;
  int64_t length;
};

Operation searchCoroutine(SortedArray array, uint64_t key, uint64_t &sum) {
  int64_t position = 0;
  int64_t remaining = array.length;
  do {
    const int64_t half = remaining / 2;
    prefetch(&array.values[position + half]);
    co_await std::suspend_always{};
    if (array.values[position + half] <= key)
      position += half;
    remaining -= half;
  } while (remaining > 1);
  sum += position;
}

uint64_t searchWithCoroutines(SortedArray array, const uint64_t *keys,
                              int64_t begin, int64_t end) {
  return roundRobin(begin, end, [&](int64_t i, uint64_t &sum) {
    return searchCoroutine(array, keys[i], sum);
  });
}

uint64_t searchWithFifo(SortedArray array, const uint64_t *keys, int64_t begin,
                        int64_t end) {
  struct Context {
    int64_t position;
    int64_t remaining;
    uint64_t key;
  } ring[FifoInFlight];
  const uint64_t *values = array.values;
  uint64_t sum = 0;
  int64_t next = begin;
  int live = 0;
  while (live < FifoInFlight && next < end)
    ring[live++] = {0, array.length, keys[next++]};
  for (int turn = 0; live > 0;) {
    Context &search = ring[turn];
    const int64_t half = search.remaining / 2;
    if (values[search.position + half] <= search.key)
      search.position += half;
    search.remaining -= half;
    if (search.remaining > 1) {
      prefetch(&values[search.position + search.remaining / 2]);
      ++turn;
    } else {
      sum += search.position;
      if (next < end) {
        search = {0, array.length, keys[next++]};
        ++turn;
      } else {
        search = ring[--live];
      }
    }
    if (turn >= live)
      turn = 0;
  }
  return sum;
}

/// All searches take the same steps, so a group stays whole to its end. Kept
/// out of line for full groups, whose constant size makes the loops over the
/// group vector code.
template <class Size>
uint64_t searchGroup(SortedArray array, const uint64_t *keys, Size size) {
  const uint64_t *values = array.values;
  int64_t position[PhaseQueueInFlight];
  for (int i = 0; i < size; ++i)
    position[i] = 0;
  for (int64_t remaining = array.length; remaining > 1;) {
    const int64_t half = remaining / 2;
    for (int i = 0; i < size; ++i)
      position[i] += values[position[i] + half] <= keys[i] ? half : 0;
    remaining -= half;
    for (int i = 0; i < size; ++i)
      prefetch(&values[position[i] + remaining / 2]);
  }
  uint64_t sum = 0;
  for (int i = 0; i < size; ++i)
    sum += position[i];
  return sum;
}

uint64_t searchWithPhaseQueue(SortedArray array, const uint64_t *keys,
                              int64_t begin, int64_t end) {
  constexpr std::integral_constant<int, PhaseQueueInFlight> full;
  uint64_t sum = 0;
  for (; end - begin >= full; begin += full)
    sum += searchGroup(array, keys + begin, full);
  return sum + searchGroup(array, keys + begin, static_cast<int>(end - begin));
}

} // namespace

Workload buildBinarySearch(Arena &arena, WorkloadSize size) {
  const int64_t count = size.operations(1 << 19);
  const int64_t length = std::max<int64_t>(2, size.bytes / sizeof(uint64_t));
  uint64_t *values = arena.allocate<uint64_t>(length);
  for (int64_t i = 0; i < length; ++i)
    values[i] = 3 * i + 1;
  uint64_t *keys = arena.allocate<uint64_t>(count);
  for (int64_t i = 0; i < count; ++i)
    keys[i] = randomBelow(1, i, 3 * length);
  const SortedArray array = {values, length};
  const auto run = [=](Version version) {
    if (!isHandWritten(version))
      return loopsOf(version).binarySearch(values, length, keys, count);
    return interleave(version, 0, count, searchWithCoroutines, searchWithFifo,
                      searchWithPhaseQueue, array, keys);
  };
  return {.operations = count, .run = run};
}

} // namespace heddle::bench
