// Locks that are taken and released in functions, whatever their names are: no
// iteration is suspended while it holds one. There is one thread, so that a
// lock that is found taken is never released: the program then ends with an
// error instead of waiting.
//
// RUN: %same_output -fno-exceptions | FileCheck %s
// CHECK-COUNT-13: remark: loop not interleaved
// CHECK-NOT: remark

#include "../../Inputs/counts.h"

#include <atomic>
#include <pthread.h>
#include <stdlib.h>

enum { Places = 64 };

/// Called by a program that finds a lock taken.
NOINLINE static void relax() noexcept {
  static std::atomic<int> times;
  if (times.fetch_add(1, std::memory_order_relaxed) < 1000)
    return;
  fputs("the holder is suspended\n", stderr);
  _Exit(1);
}

/// A loop that updates `places` between `take` and `give`.
#define LOCKED(name, take, give)                                               \
  NOINLINE int64_t name(int64_t *places, int64_t n) {                          \
    clear();                                                                   \
    ASYNC_LOOP(CLAUSES) {                                                      \
      const int64_t place = keys[i] % Places;                                  \
      take;                                                                    \
      places[place] += table[table[keys[i] / 2]];                              \
      give;                                                                    \
    }                                                                          \
    return countsSum();                                                        \
  }

static int word;
NOINLINE static bool tryEnter(int *at) {
  int none = 0;
  return __atomic_compare_exchange_n(at, &none, 1, false, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED);
}
NOINLINE static void leave(int *at) {
  __atomic_store_n(at, 0, __ATOMIC_RELEASE);
}
LOCKED(compareExchange, while (!tryEnter(&word)) relax(), leave(&word))

static std::atomic_flag flag = ATOMIC_FLAG_INIT;
NOINLINE static void grab() {
  while (flag.test_and_set(std::memory_order_acquire))
    relax();
}
NOINLINE static void drop() { flag.clear(std::memory_order_release); }
LOCKED(flagOfStandard, grab(), drop())

static std::atomic<bool> taken;
NOINLINE static void openGate() {
  while (taken.exchange(true))
    relax();
}
NOINLINE static void closeGate() { taken = false; }
LOCKED(sequentiallyConsistent, openGate(), closeGate())

static std::atomic<unsigned> tickets, serving;
NOINLINE static void queueUp() {
  const unsigned mine = tickets.fetch_add(1, std::memory_order_relaxed);
  while (serving.load(std::memory_order_acquire) != mine)
    relax();
}
NOINLINE static void next() {
  serving.store(serving.load(std::memory_order_relaxed) + 1,
                std::memory_order_release);
}
LOCKED(ticket, queueUp(), next())

static int words[Places];
NOINLINE static void enter(int *at) {
  while (__sync_lock_test_and_set(at, 1))
    relax();
}
NOINLINE static void exitWord(int *at) { __sync_lock_release(at); }
LOCKED(onePerPlace, enter(&words[place]), exitWord(&words[place]))

LOCKED(takenInCallee, enter(&word),
       __atomic_store_n(&word, 0, __ATOMIC_RELEASE))

LOCKED(releasedInCallee,
       while (__atomic_exchange_n(&word, 1, __ATOMIC_ACQUIRE)) relax(),
       leave(&word))

NOINLINE static void beginUpdate(int *at) { enter(at); }
NOINLINE static void endUpdate(int *at) { leave(at); }
LOCKED(calleesOfCallees, beginUpdate(&word), endUpdate(&word))

struct Table {
  int unused, state;
};
static Table *const memory = new Table();
static Table *current = memory;
NOINLINE static void pin() { enter(&current->state); }
NOINLINE static void unpin() { leave(&current->state); }
LOCKED(behindPointer, pin(), unpin())

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
NOINLINE static void before() noexcept {
  while (pthread_mutex_trylock(&mutex))
    relax();
}
NOINLINE static void after() noexcept { pthread_mutex_unlock(&mutex); }
LOCKED(mutexOfSystem, before(), after())

static bool isBusy;
NOINLINE static void start() {
  while (isBusy)
    relax();
  isBusy = true;
}
NOINLINE static void finish() { isBusy = false; }
LOCKED(plainFlag, start(), finish())

struct Guard {
  int *at;
  NOINLINE explicit Guard(int *at) : at(at) { enter(at); }
  NOINLINE ~Guard() { leave(at); }
};
LOCKED(guard, Guard hold(&word), (void)hold)

static void (*volatile first)(int *) noexcept =
    reinterpret_cast<void (*)(int *) noexcept>(enter);
static void (*volatile second)(int *) noexcept =
    reinterpret_cast<void (*)(int *) noexcept>(leave);
LOCKED(unseen, first(&word), second(&word))

int main() {
  prepare();
#define PRINT(name)                                                            \
  printForAllCounts(#name, [](int64_t n) { return name(counts, n); });
  PRINT(compareExchange)
  PRINT(flagOfStandard)
  PRINT(sequentiallyConsistent)
  PRINT(ticket)
  PRINT(onePerPlace)
  PRINT(takenInCallee)
  PRINT(releasedInCallee)
  PRINT(calleesOfCallees)
  PRINT(behindPointer)
  PRINT(mutexOfSystem)
  PRINT(plainFlag)
  PRINT(guard)
  PRINT(unseen)
}
