// A thread begins no iteration of a further chunk while others are in flight,
// before it has run many: iterations that are few and heavy are shared among
// the threads. Behind these, iterations of several chunks are in flight.
//
// One of two threads waits in front of the loop until the other has ended an
// iteration. Counted is what that one has begun until then: its first chunk.
// Then a single thread counts how often it has none in flight.
//
// RUN: %clangxx -O2 %fopenmp -Rpass=heddle %s -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %t lockstep | FileCheck %s
// RUN: %t fifo | FileCheck %s
// REMARK-COUNT-5: remark: interleaved the loop's iterations

#include "../../../../runtime/tuner/site.h"

#include <atomic>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <omp.h>

#define NOINLINE __attribute__((noinline))

static uint32_t version;

// The tuner of this program interleaves whatever it is asked about.
extern "C" void heddle_site_begin(heddle_site *, uint64_t remaining,
                                  heddle_plan *plan) {
  *plan = {version, 32, remaining, 0};
}
extern "C" void heddle_site_end(heddle_site *, const heddle_plan *, uint64_t,
                                uint64_t, uint64_t) {}

struct Node {
  Node *next;
  long value;
};

constexpr int Most = 20000;
static Node nodes[2 * Most], *lists[Most];

static std::atomic<int> begun, ended, begunBefore, drained;
static std::atomic<bool> mayEnter;

/// Counts iterations unseen: for the compiler, these calls are pure.
extern "C" long countBegin(long i) {
  if (begun++ == ended)
    ++drained;
  return i;
}
extern "C" long countEnd(long value) {
  if (ended++ == 0) {
    begunBefore = begun.load();
    mayEnter = true;
  }
  return value;
}
asm(".globl begin\n.set begin, countBegin\n.globl end\n.set end, countEnd");
extern "C" {
__attribute__((const, nothrow)) long begin(long i);
__attribute__((const, nothrow)) long end(long value);
}

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define LOOP(NAME, ...)                                                        \
  NOINLINE static long NAME(int n, int threads) {                              \
    long sum = 0;                                                              \
    PRAGMA(omp parallel num_threads(threads) reduction(+ : sum)) {             \
      while (omp_get_thread_num() == 1 && !mayEnter)                           \
        ;                                                                      \
      PRAGMA(omp for schedule(__VA_ARGS__))                                    \
      PRAGMA(heddle async)                                                     \
      for (int i = 0; i < n; ++i) {                                            \
        long mine = 0;                                                         \
        for (Node *node = lists[begin(i)]; node; node = node->next)            \
          mine += node->value;                                                 \
        sum += end(mine);                                                      \
      }                                                                        \
    }                                                                          \
    return sum;                                                                \
  }

LOOP(ones, dynamic)
LOOP(fours, dynamic, 4)
LOOP(sixteens, dynamic, 16)
LOOP(guided, guided)
LOOP(statics, static, 16)

template <class Loop> static void run(const char *name, Loop loop) {
  for (int n : {6, 64, 600}) {
    begun = ended = begunBefore = drained = 0;
    mayEnter = false;
    loop(n, 2);
    printf("%s of %d: %d\n", name, n, begunBefore.load());
  }
  begun = ended = drained = 0;
  mayEnter = true;
  printf("%s sum %ld", name, loop(Most, 1));
  printf(" drained %s\n", drained < 1200 ? "seldom" : "often");
}

// CHECK: ones of 6: 1
// CHECK-NEXT: ones of 64: 1
// CHECK-NEXT: ones of 600: 1
// CHECK-NEXT: ones sum 799980000 drained seldom
// CHECK-NEXT: fours of 6: 1
// CHECK-NEXT: fours of 64: 1
// CHECK-NEXT: fours of 600: 1
// CHECK-NEXT: fours sum 799980000 drained seldom
// CHECK-NEXT: sixteens of 6: 1
// CHECK-NEXT: sixteens of 64: 16
// CHECK-NEXT: sixteens of 600: 16
// CHECK-NEXT: sixteens sum 799980000 drained seldom
// CHECK-NEXT: guided of 6: 1
// CHECK-NEXT: guided of 64: 16
// CHECK-NEXT: guided of 600: 32
// CHECK-NEXT: guided sum 799980000 drained seldom
// CHECK-NEXT: statics of 6: 1
// CHECK-NEXT: statics of 64: 16
// CHECK-NEXT: statics of 600: 16
// CHECK-NEXT: statics sum 799980000 drained seldom
int main(int, char **argument) {
  version = strcmp(argument[1], "fifo") ? HEDDLE_LOCKSTEP : HEDDLE_FIFO;
  for (int i = 0; i < 2 * Most; ++i) {
    nodes[i] = {lists[i % Most], i};
    lists[i % Most] = &nodes[i];
  }
  run("ones", ones);
  run("fours", fours);
  run("sixteens", sixteens);
  run("guided", guided);
  run("statics", statics);
}
