//===- SpinLock.h - Locks that are a bit -----------------------*- C++ -*-===//
//
// These locks are held for less time than it takes to put a thread to sleep.
// There is one for every vertex, for which a mutex would be too large.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_CBLIST_SPINLOCK_H
#define HEDDLE_GRAPH_DETAIL_CBLIST_SPINLOCK_H

#include "heddle/graph/detail/Assert.h"

#include <atomic>
#include <cstdint>
#include <thread>

namespace heddle::graph::cblist {

/// Waits until it has changed `bit` of `word` from 0 to 1. Only the owner of
/// the lock may change the other bits, and only atomically.
inline void lockBit(std::uint32_t &word, std::uint32_t bit) {
  constexpr unsigned Patience = 64;
  const std::atomic_ref shared(word);
  unsigned tries = 0;
  while (shared.fetch_or(bit, std::memory_order_acquire) & bit)
    while (shared.load(std::memory_order_relaxed) & bit)
      if (++tries % Patience == 0)
        std::this_thread::yield();
}

inline void unlockBit(std::uint32_t &word, std::uint32_t bit) {
  HEDDLE_ASSERT(std::atomic_ref(word).load(std::memory_order_relaxed) & bit);
  std::atomic_ref(word).fetch_and(~bit, std::memory_order_release);
}

/// A lock that is not held when it is moved or swapped.
class SpinLock {
public:
  void lock() { lockBit(word, 1); }
  void unlock() { unlockBit(word, 1); }

private:
  std::uint32_t word = 0;
};

} // namespace heddle::graph::cblist

#endif
