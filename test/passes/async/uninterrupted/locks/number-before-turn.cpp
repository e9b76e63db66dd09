// An optimizer moves the comparison with `best`, which iterations update in
// their order, behind the wait for a lock. They take turns for its sake in
// front of the number by which they wait for the lock, not behind it: an
// earlier iteration, whose turn it is, might have drawn a later number.
//
// RUN: %clangxx -std=c++17 -O2 %fopenmp -Rpass-analysis=heddle %s -o %t 2>&1 | FileCheck %s
// RUN: timeout 60 %t
// CHECK: a variable is sequential

#define ELEMENTS 190
#define BUCKETS (ELEMENTS / 2 + 1)
#include "../../../../differential/support.h"

static unsigned word;
static NOINLINE int enter(void) {
  return !__atomic_exchange_n(&word, 1u, __ATOMIC_ACQUIRE);
}
static NOINLINE void leave(void) {
  __atomic_store_n(&word, 0u, __ATOMIC_RELEASE);
}
static uint64_t guarded[16];
static unsigned turns[16], next[16];

static NOINLINE int16_t run(int64_t count) {
  int16_t best = 50;
#pragma omp parallel for num_threads(1) reduction(max : best)                  \
    schedule(monotonic : dynamic)
#pragma heddle async tasks(8) scheduler(fifo) suspensions(3)
  for (long i = 0; i != (long)count; ++i) {
    const uint64_t number = hashOf((uint64_t)i);
    const uint32_t other = rows[(uint64_t)(3881 - (int32_t)(i & 4095u)) %
                                ELEMENTS][number % ROW_LENGTH];
    const Record record = records[(number ^ 38520u) % ELEMENTS];
    const uint64_t weight = record.weight ^ record.halves.high;
    const uint64_t isMore = weight > record.link;
    const int16_t candidate = (int16_t)(4232u < isMore ? 4232u : isMore);
    if (candidate > best)
      best = candidate;
    while (!enter()) {
    }
    leave();
    const uint64_t stripe = weight % 16u;
    for (unsigned mine =
             __atomic_fetch_add(&next[stripe], 1u, __ATOMIC_RELAXED);
         __atomic_load_n(&turns[stripe], __ATOMIC_ACQUIRE) != mine;) {
    }
    guarded[stripe] += values64[indices[other % ELEMENTS]];
    __atomic_fetch_add(&turns[stripe], 1u, __ATOMIC_RELEASE);
  }
  return best;
}

int main(void) {
  prepare(1058731317u);
  return run(190) == 50 ? 0 : 1;
}
