//===- atomics.h - Atomic operations of the algorithms ----------*- C++ -*-===//
//
// Relaxed order throughout: the barriers of OpenMP order one round after
// another, and within a round only the atomicity of one word matters.
//
//===----------------------------------------------------------------------===//

#ifndef GRAPH_ALGORITHMS_ATOMICS_H
#define GRAPH_ALGORITHMS_ATOMICS_H

#include <cstdint>

template <typename T> T load(const T *source) {
  return __atomic_load_n(source, __ATOMIC_RELAXED);
}

template <typename T> void store(T *target, T value) {
  __atomic_store_n(target, value, __ATOMIC_RELAXED);
}

template <typename T> T fetchAdd(T *target, T value) {
  return __atomic_fetch_add(target, value, __ATOMIC_RELAXED);
}

/// Replaces `expected` by `desired`; true if it was there to be replaced.
template <typename T> bool compareAndSwap(T *target, T expected, T desired) {
  return __atomic_compare_exchange_n(target, &expected, desired, false,
                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/// Sets a flag; true if it was not set before.
inline bool setFlag(uint8_t *flag) {
  return __atomic_exchange_n(flag, uint8_t(1), __ATOMIC_RELAXED) == 0;
}

/// Lowers `*target` to `value`; true if that changed it.
inline bool atomicMin(int64_t *target, int64_t value) {
  int64_t current = load(target);
  while (value < current)
    if (__atomic_compare_exchange_n(target, &current, value, true,
                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return true;
  return false;
}

#endif
