//===- Atomic.h - Values that threads race for -----------------*- C++ -*-===//
//
// Threads that push along edges may update the same target at once. These are
// the few operations that algorithms need for that, all relaxed: the end of a
// parallel loop orders everything that a later loop may rely on.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_ATOMIC_H
#define HEDDLE_GRAPH_DETAIL_ATOMIC_H

#include <atomic>
#include <type_traits>

namespace heddle::graph {

/// Reads a value that other threads may be changing.
template <typename T> T loadShared(const T &place) {
  return std::atomic_ref(const_cast<T &>(place))
      .load(std::memory_order_relaxed);
}

/// Writes a value that other threads may be reading or changing.
template <typename T>
void storeShared(T &place, std::type_identity_t<T> value) {
  std::atomic_ref(place).store(value, std::memory_order_relaxed);
}

/// Adds to a value that other threads may be adding to; returns the previous
/// value.
template <typename T> T addShared(T &place, std::type_identity_t<T> summand) {
  return std::atomic_ref(place).fetch_add(summand, std::memory_order_relaxed);
}

/// Replaces `expected` by `desired`. Returns false if the value is another, so
/// that only one of many threads succeeds.
template <typename T>
bool claimShared(T &place, std::type_identity_t<T> expected,
                 std::type_identity_t<T> desired) {
  return std::atomic_ref(place).compare_exchange_strong(
      expected, desired, std::memory_order_relaxed);
}

} // namespace heddle::graph

#endif
