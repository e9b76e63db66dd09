//===- ByHand.h - Interleaving by hand --------------------------*- C++ -*-===//
//
// What a person writes once and uses in every loop: asynchronous memory access
// chaining (AMAC), that is, state machines in a ring, and group prefetching.
// The numbers in flight suit the machines this project was measured on.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_PROGRAMS_BYHAND_H
#define HEDDLE_TOOLS_BENCH_PROGRAMS_BYHAND_H

#include <cstdint>
#include <type_traits>

namespace heddle::bench {

constexpr int InFlight = 24;
constexpr int GroupSize = 64;

inline void prefetch(const void *address) { __builtin_prefetch(address); }
inline void prefetchForWriting(const void *address) {
  __builtin_prefetch(address, 1);
}

/// Keeps up to `Width` operations in flight. `start(state)` begins the next
/// operation, and returns false if there is none left; `step(state)` goes on to
/// the next wait, and returns false if the operation has ended.
template <typename State, int Width = InFlight, typename Start, typename Step>
void interleave(Start start, Step step) {
  State ring[Width];
  int live = 0;
  while (live < Width && start(ring[live]))
    ++live;
  for (int turn = 0; live > 0;) {
    if (step(ring[turn]) || start(ring[turn]))
      ++turn;
    else
      ring[turn] = ring[--live];
    if (turn >= live)
      turn = 0;
  }
}

/// Calls `work(begin, size)` for groups of [0, count). The size of full groups
/// is a constant, for which the compiler unrolls and vectorises loops.
template <int Width = GroupSize, typename Work>
void inGroups(std::int64_t count, Work work) {
  std::int64_t begin = 0;
  for (; count - begin >= Width; begin += Width)
    work(begin, std::integral_constant<int, Width>());
  if (begin < count)
    work(begin, static_cast<int>(count - begin));
}

} // namespace heddle::bench

#endif
