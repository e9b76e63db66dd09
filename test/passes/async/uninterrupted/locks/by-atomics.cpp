// Locks that only what is done with them shows: no iteration is suspended while
// it holds one. There is one thread, so that a lock that is found taken is
// never released: the program then ends with an error instead of waiting.
//
// RUN: %same_output -fno-exceptions | FileCheck %s
// CHECK: remark: loop not interleaved: {{.*}}between the acquire and the release of a lock
// CHECK: remark: interleaved the loop's iterations
// CHECK: remark: interleaved the loop's iterations
// CHECK: remark: loop not interleaved: {{.*(that all iterations share|that is used behind it)}}
// CHECK: remark: loop not interleaved: {{.*}}between the acquire and the release of a lock
// CHECK: remark: loop not interleaved: its long-latency accesses do not depend
// CHECK-NOT: interleaved

#include "../../Inputs/counts.h"
#include <atomic>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

enum { Places = 64 };

/// Called by a program that finds a lock taken.
NOINLINE void relax() noexcept {
  static std::atomic<int> times;
  if (times.fetch_add(1, std::memory_order_relaxed) < 1000)
    return;
  fputs("the holder of the lock is suspended\n", stderr);
  _Exit(1);
}

// A bit of a word, the other bits of which are in use.
static std::atomic<unsigned> word = 6;

NOINLINE int64_t bitLock(int64_t *places, int64_t n) {
  clear();
  ASYNC_LOOP(CLAUSES) {
    while (word.fetch_or(1, std::memory_order_acquire) & 1)
      relax();
    places[keys[i] % Places] += table[table[keys[i] / 2]];
    word.fetch_and(~1u, std::memory_order_release);
  }
  return countsSum() + word;
}

// A bit in each object.
struct Object {
  std::atomic<uint64_t> state;
  int64_t value;
};

NOINLINE int64_t bitOfObject(Object *objects, int64_t n) {
  for (int64_t i = 0; i < Places; ++i)
    objects[i].value = 0;
  ASYNC_LOOP(CLAUSES) {
    Object &object = objects[keys[i] % Places];
    while (object.state.fetch_or(1, std::memory_order_acquire) & 1)
      relax();
    object.value += table[table[keys[i] / 2]];
    object.state.fetch_sub(1, std::memory_order_release);
  }
  int64_t sum = 0;
  for (int64_t i = 0; i < Places; ++i)
    sum = sum * 31 + objects[i].value;
  return sum;
}

// Which lock it is, is looked up again for the release.
static bool locks[Places];

NOINLINE int64_t lockReloaded(const uint8_t *stripes, int64_t *places,
                              int64_t n) {
  clear();
  ASYNC_LOOP(CLAUSES) {
    while (__atomic_test_and_set(&locks[stripes[keys[i]]], __ATOMIC_ACQUIRE))
      relax();
    places[keys[i] % Places] += table[table[keys[i] / 2]];
    __atomic_clear(&locks[stripes[keys[i]]], __ATOMIC_RELEASE);
  }
  return countsSum();
}

// Functions of the program, the names of which say what they do: one lock,
// whatever they are given.
static bool blocked;
extern "C" NOINLINE void block_lock(int64_t) noexcept {
  while (blocked)
    relax();
  blocked = true;
  asm volatile("");
}
extern "C" NOINLINE void block_unlock(int64_t) noexcept {
  blocked = false;
  asm volatile("");
}

NOINLINE int64_t namedFunctions(int64_t *places, int64_t n) {
  clear();
  ASYNC_LOOP(CLAUSES) {
    block_lock(keys[i] & 3);
    places[keys[i] % Places] += table[table[keys[i] / 2]];
    block_unlock(keys[i] & 3);
  }
  return countsSum();
}

static sem_t semaphores[Places];

NOINLINE int64_t semaphore(int64_t *places, int64_t n) {
  clear();
  ASYNC_LOOP(CLAUSES) {
    sem_wait(&semaphores[0]);
    places[keys[i] % Places] += table[table[keys[i] / 2]];
    sem_post(&semaphores[0]);
  }
  return countsSum();
}

NOINLINE int64_t manySemaphores(int64_t *places, int64_t n) {
  clear();
  ASYNC_LOOP(CLAUSES) {
    int64_t place = keys[i] % Places;
    sem_wait(&semaphores[place]);
    places[place] += table[table[keys[i] / 2]];
    sem_post(&semaphores[place]);
  }
  return countsSum();
}

int main() {
  // sem_wait cannot be told how long to wait.
  alarm(30);
  prepare();
  printForAllCounts("bit lock", [](int64_t n) { return bitLock(counts, n); });
  static Object objects[Places];
  printForAllCounts("bit of object",
                    [](int64_t n) { return bitOfObject(objects, n); });
  static uint8_t stripes[Elements];
  for (int64_t i = 0; i < Elements; ++i)
    stripes[i] = table[i] % Places;
  printForAllCounts("lock reloaded",
                    [](int64_t n) { return lockReloaded(stripes, counts, n); });
  printForAllCounts("named functions",
                    [](int64_t n) { return namedFunctions(counts, n); });
  for (sem_t &each : semaphores)
    sem_init(&each, 0, 1);
  printForAllCounts("semaphore",
                    [](int64_t n) { return semaphore(counts, n); });
  printForAllCounts("many semaphores",
                    [](int64_t n) { return manySemaphores(counts, n); });
}
