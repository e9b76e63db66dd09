// Iterations that hold several locks: taken in the order of their addresses, in
// loops, and released by other expressions than they were taken by.
//
// RUN: %same_output -fno-exceptions %fopenmp | FileCheck %s
// CHECK-COUNT-9: remark: {{interleaved the loop's|requested ahead}}

#include "../../Inputs/program.h"

#include <atomic>
#include <mutex>
#include <utility>

enum { Locks = 64 };
static std::atomic<int> locks[Locks];
static int64_t sums[Locks];

static void lock(std::atomic<int> &word) {
  while (word.exchange(1, std::memory_order_acquire))
    ;
}
static void unlock(std::atomic<int> &word) {
  word.store(0, std::memory_order_release);
}

struct Ticket {
  std::atomic<int> next, serving;
};
static Ticket tickets[Locks];
static void lock(Ticket &ticket) {
  const int mine = ticket.next.fetch_add(1, std::memory_order_relaxed);
  while (ticket.serving.load(std::memory_order_acquire) != mine)
    ;
}
static void unlock(Ticket &ticket) {
  ticket.serving.fetch_add(1, std::memory_order_release);
}

static int64_t total() {
  int64_t sum = 0;
  for (int64_t &value : sums)
    sum = sum * 31 + std::exchange(value, 0);
  return sum;
}

/// A loop that moves an amount, which takes long to compute, from account a to
/// account b, between \p take and \p release.
#define HELD(name, take, release)                                              \
  PROGRAM(name) {                                                              \
    ASYNC_LOOP(CLAUSES) {                                                      \
      const int64_t a = table[keys[i]] % Locks, b = table[i] % Locks;          \
      const int64_t low = a < b ? a : b, high = a < b ? b : a;                 \
      (void)low, (void)high;                                                   \
      take;                                                                    \
      const int64_t amount = table[table[table[keys[i]]]];                     \
      sums[a] -= amount;                                                       \
      sums[b] += amount;                                                       \
      release;                                                                 \
    }                                                                          \
    return total();                                                            \
  }

#define TAKE_BOTH(words)                                                       \
  lock(words[low]);                                                            \
  if (low != high)                                                             \
  lock(words[high])
#define RELEASE_BOTH(words)                                                    \
  unlock(words[a]);                                                            \
  if (a != b)                                                                  \
  unlock(words[b])

HELD(sorted, TAKE_BOTH(locks), RELEASE_BOTH(locks))
HELD(sortedTickets, TAKE_BOTH(tickets), RELEASE_BOTH(tickets))
HELD(oneBranch, if (a < b) lock(locks[a]);
     else lock(locks[b]), unlock(locks[a < b ? a : b]))
HELD(allBelow, for (int64_t j = 0; j <= (a & 3); ++j) lock(locks[j]),
     for (int64_t j = (a & 3) + 1; j--;) unlock(locks[j]))
HELD(bits, const uint64_t needed = 1ull << a | 1ull << b;
     for (uint64_t mask = needed; mask; mask &= mask - 1)
         lock(locks[__builtin_ctzll(mask)]),
     for (uint64_t mask = needed; mask; mask &= mask - 1)
         unlock(locks[__builtin_ctzll(mask)]))
HELD(array, int64_t held[2]; held[0] = low; held[1] = high;
     int count = low == high ? 1 : 2;
     for (int j = 0; j < count; ++j) lock(locks[held[j]]),
     while (count) unlock(locks[held[--count]]))

NOINLINE static void lockNumber(int64_t number) { lock(locks[number]); }
NOINLINE static void unlockNumber(int64_t number) { unlock(locks[number]); }
HELD(calls, for (int64_t j = 0; j <= (a & 3); ++j) lockNumber(j),
     for (int64_t j = 0; j <= (a & 3); ++j) unlockNumber(j))
HELD(sortedCalls, lockNumber(low);
     if (low != high) lockNumber(high), unlockNumber(b);
     if (a != b) unlockNumber(a))

/// A lock of the user's own that standard functions take several of.
struct SpinLock {
  std::atomic<int> word;
  void lock() { ::lock(word); }
  bool try_lock() { return !word.exchange(1, std::memory_order_acquire); }
  void unlock() { ::unlock(word); }
};
static SpinLock spinLocks[Locks + 1];

HELD(scopedLock,
     const std::scoped_lock held(spinLocks[a], spinLocks[a == b ? Locks : b]), )
HELD(standardLock, std::unique_lock one(spinLocks[a], std::defer_lock);
     std::unique_lock other(spinLocks[a == b ? Locks : b], std::defer_lock);
     std::lock(one, other), )

struct Link {
  std::atomic<int> lock;
  Link *next;
  int64_t value;
};
static Link links[Locks];

// Hand over hand along a list.
PROGRAM(handOverHand) {
  for (int j = 0; j < Locks; ++j)
    links[j].next = j + 1 < Locks ? &links[j + 1] : nullptr, links[j].value = 0;
  ASYNC_LOOP(CLAUSES) {
    Link *node = &links[table[keys[i]] % Locks];
    lock(node->lock);
    for (int left = 4; left && node->next; --left) {
      Link *next = node->next;
      lock(next->lock);
      unlock(node->lock);
      node = next;
    }
    node->value += table[table[table[i]]];
    unlock(node->lock);
  }
  int64_t sum = 0;
  for (const Link &node : links)
    sum = sum * 31 + node.value;
  return sum;
}

int main() {
  prepare();
  printPrograms();
}
