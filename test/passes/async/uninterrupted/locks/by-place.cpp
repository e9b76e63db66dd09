// Locks in places that are chosen by the iteration or that are looked up again,
// and locks that fences, assembly and plain variables make: no iteration is
// suspended while it holds one. A program that finds a lock taken ends with an
// error instead of waiting for ever.
//
// RUN: %same_output -fno-exceptions %fopenmp | FileCheck %s
// CHECK-COUNT-10: remark: loop not interleaved
// CHECK: remark: interleaved the loop's iterations
// CHECK-NOT: remark: loop not

#include "../../Inputs/counts.h"

#include <atomic>
#include <omp.h>
#include <stdlib.h>

enum { Places = 64, Stripes = 16 };

/// Called by a program that finds a lock taken.
NOINLINE static void relax() noexcept {
  static std::atomic<int> times;
  if (times.fetch_add(1, std::memory_order_relaxed) < 1000)
    return;
  fputs("the holder is suspended\n", stderr);
  _Exit(1);
}

/// A loop that updates `counts` between `take` and `give`.
#define LOCKED(name, take, give)                                               \
  PROGRAM(name) {                                                              \
    clear();                                                                   \
    ASYNC_LOOP(CLAUSES) {                                                      \
      const int64_t stripe = keys[i] % Stripes;                                \
      (void)stripe;                                                            \
      take;                                                                    \
      counts[keys[i] % Places] += table[table[keys[i] / 2]];                   \
      give;                                                                    \
    }                                                                          \
    return countsSum();                                                        \
  }

static std::atomic<int> words[Stripes];
NOINLINE static void enter(int64_t at) {
  while (words[at].exchange(1, std::memory_order_relaxed))
    relax();
  std::atomic_thread_fence(std::memory_order_acquire);
}
NOINLINE static void leave(int64_t at) {
  std::atomic_thread_fence(std::memory_order_release);
  words[at].store(0, std::memory_order_relaxed);
}
LOCKED(fences, enter(stripe), leave(stripe))

static volatile int old[Stripes];
NOINLINE static void enterOld(int64_t at) {
  while (!__sync_bool_compare_and_swap(&old[at], 0, 1))
    relax();
}
NOINLINE static void leaveOld(int64_t at) {
  __sync_synchronize();
  old[at] = 0;
}
LOCKED(builtins, enterOld(stripe), leaveOld(stripe))

static int bare[Stripes];
static inline void exchange(int *at) {
  for (int before = 1; before != 0;) {
    asm volatile("xchgl %0, %1" : "+r"(before), "+m"(*at)::"memory");
    if (before)
      relax();
  }
}
NOINLINE static void enterBare(int64_t at) { exchange(&bare[at]); }
NOINLINE static void leaveBare(int64_t at) {
  asm volatile("" ::: "memory");
  *(volatile int *)&bare[at] = 0;
}
LOCKED(assembly, enterBare(stripe), leaveBare(stripe))
LOCKED(assemblyInline, exchange(&bare[3]), asm volatile("" :: : "memory");
       *(volatile int *)&bare[3] = 0)

static bool busy[Stripes];
NOINLINE static void begin(int64_t at) {
  while (busy[at])
    relax();
  busy[at] = true;
}
NOINLINE static void end(int64_t at) { busy[at] = false; }
LOCKED(plainFlags, begin(stripe), end(stripe))

// Names that the callee's operations explain, but not its arguments.
static int depth;
NOINLINE static void deeper() {
  while (depth)
    relax();
  ++depth;
}
NOINLINE static void back() { --depth; }
LOCKED(plainCounter, deeper(), back())

// The object is looked up for each operation.
struct Object {
  std::atomic_flag flag = ATOMIC_FLAG_INIT;
  void enter() {
    while (flag.test_and_set(std::memory_order_acquire))
      relax();
  }
  void leave() { flag.clear(std::memory_order_release); }
};
static Object objects[Stripes];
NOINLINE static Object *find(int64_t at) {
  asm volatile("");
  return &objects[at];
}
LOCKED(lookedUpAgain, find(stripe)->enter(), find(stripe)->leave())

static std::atomic<unsigned> sequence[Stripes];
NOINLINE static void beginWrite(int64_t at) {
  while (sequence[at].load(std::memory_order_acquire) & 1)
    relax();
  sequence[at].fetch_add(1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
}
NOINLINE static void endWrite(int64_t at) {
  sequence[at].fetch_add(1, std::memory_order_release);
}
LOCKED(sequenceLock, beginWrite(stripe), endWrite(stripe))

// Locks of the system, in functions of other names.
static omp_lock_t ofOpenMP;
NOINLINE static void start() noexcept {
  while (!omp_test_lock(&ofOpenMP))
    relax();
}
NOINLINE static void stop() noexcept { omp_unset_lock(&ofOpenMP); }
LOCKED(openMP, start(), stop())

extern "C" void lockAll() noexcept __attribute__((weak));
extern "C" void unlockAll() noexcept __attribute__((weak));
static bool all;
extern "C" NOINLINE void lockAll() noexcept {
  while (all)
    relax();
  all = true;
}
extern "C" NOINLINE void unlockAll() noexcept { all = false; }
NOINLINE static void first() noexcept { lockAll(); }
NOINLINE static void last() noexcept { unlockAll(); }
LOCKED(withoutArgument, first(), last())

// Counters are no locks.
static std::atomic<int64_t> hits[Stripes], misses;
NOINLINE static void note(int64_t at) { hits[at].fetch_add(1); }
PROGRAM(counters) {
  clear();
  ASYNC_LOOP(CLAUSES) {
    note(keys[i] % Stripes);
    counts[keys[i] % Places] += table[table[keys[i] / 2]];
    note(keys[i] % Stripes);
    misses.fetch_add(1, std::memory_order_relaxed);
  }
  return countsSum() + misses + hits[3];
}

int main() {
  omp_init_lock(&ofOpenMP);
  prepare();
  printPrograms();
}
