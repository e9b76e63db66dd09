// All versions of a loop report the same work: iterations, with those of inner
// loops that go by a counter.
//
// RUN: %clangxx -O2 %s -o %t && %t | FileCheck %s

#include "../../../runtime/tuner/site.h"

#include <cstdio>

static uint32_t version;
static volatile uint64_t iterationsDone, workDone;

extern "C" void heddle_site_begin(heddle_site *site, uint64_t remaining,
                                  heddle_plan *plan) {
  *plan = {version, site->max_tasks < 20 ? site->max_tasks : 20,
           remaining < 100 ? remaining : 100, 0};
}

extern "C" void heddle_site_end(heddle_site *, const heddle_plan *,
                                uint64_t iterations, uint64_t work, uint64_t) {
  iterationsDone = iterationsDone + iterations;
  workDone = workDone + work;
}

constexpr long Vertices = 1000;

struct Graph {
  long *rowStart, *column, *value;
};

__attribute__((noinline)) long rows(Graph graph, const long *frontier, long n) {
  auto [rowStart, column, value] = graph;
  long sum = 0;
#pragma heddle async
  for (long i = 0; i < n; ++i)
    for (long e = rowStart[frontier[i]]; e < rowStart[frontier[i] + 1]; ++e)
      sum += value[column[e]];
  return sum;
}

// The bound is read again after each update, which acquires.
__attribute__((noinline)) long updates(Graph graph, const long *frontier,
                                       long n) {
  auto [rowStart, column, value] = graph;
  long sum = 0;
#pragma heddle async
  for (long i = 0; i < n; ++i)
    for (long e = rowStart[frontier[i]]; e < rowStart[frontier[i] + 1]; ++e)
      sum += __atomic_fetch_add(&value[column[e]], 0, __ATOMIC_SEQ_CST);
  return sum;
}

// ... and the loop may be left before.
__attribute__((noinline)) long searches(Graph graph, const long *frontier,
                                        long n) {
  auto [rowStart, column, value] = graph;
  long sum = 0;
#pragma heddle async
  for (long i = 0; i < n; ++i)
    for (int e = (int)rowStart[frontier[i] + 1];
         --e >= (int)rowStart[frontier[i]];) {
      if (value[column[e]] % 3 == 1)
        break;
      sum += __atomic_fetch_add(&value[column[e]], 0, __ATOMIC_SEQ_CST);
    }
  return sum;
}

__attribute__((noinline)) long pointers(Graph graph, const long *frontier,
                                        long n) {
  auto [rowStart, column, value] = graph;
  long sum = 0;
#pragma heddle async
  for (long i = 0; i < n; ++i)
    for (const long *e = column + rowStart[frontier[i]];
         e < column + rowStart[frontier[i] + 1]; e += 2) {
      if (value[*e] % 5 == 1)
        break;
      sum += __atomic_fetch_add(&value[*e], 0, __ATOMIC_SEQ_CST);
      if (value[*e] % 5 == 2)
        break;
    }
  return sum;
}

// Rows of one length are all the same, and a search has no counter.
__attribute__((noinline)) long pairs(Graph graph, const long *frontier,
                                     long n) {
  auto [rowStart, column, value] = graph;
  long sum = 0;
#pragma heddle async
  for (long i = 0; i < n; ++i)
    for (int k = 0; k < 20; ++k)
      sum += value[column[value[frontier[i]] + k]] ^ k;
  return sum;
}

__attribute__((noinline)) long chase(Graph graph, const long *frontier,
                                     long n) {
  auto [rowStart, column, value] = graph;
  long sum = 0;
#pragma heddle async
  for (long i = 0; i < n; ++i)
    for (long v = frontier[i]; v > 10; v = column[v])
      sum += v;
  return sum;
}

static void run(const char *name, long (*loop)(Graph, const long *, long),
                Graph graph, const long *frontier) {
  for (uint32_t each = HEDDLE_SERIAL; each <= HEDDLE_FIFO; ++each) {
    version = each;
    iterationsDone = 0;
    workDone = 0;
    long sum = loop(graph, frontier, Vertices);
    printf("%s %u: %llu %llu, sum %ld\n", name, each,
           (unsigned long long)iterationsDone, (unsigned long long)workDone,
           sum);
  }
}

int main() {
  long *frontier = new long[Vertices];
  Graph graph = {new long[Vertices + 1](), new long[Vertices * 10],
                 new long[Vertices]};
  auto [rowStart, column, value] = graph;
  for (long v = 0; v < Vertices; ++v) {
    frontier[v] = v * 7 % Vertices;
    value[v] = v;
    rowStart[v + 1] = rowStart[v] + v % 10;
  }
  for (long e = 0; e < Vertices * 10; ++e)
    column[e] = e < Vertices ? e / 2 : e % Vertices;
  // CHECK: rows 0: 1000 5500, sum [[ROWS:[0-9]+]]
  // CHECK-NEXT: rows 1: 1000 5500, sum [[ROWS]]
  // CHECK-NEXT: rows 2: 1000 5500, sum [[ROWS]]
  run("rows", rows, graph, frontier);
  // CHECK-NEXT: updates 0: 1000 5500, sum [[UPDATES:[0-9]+]]
  // CHECK-NEXT: updates 1: 1000 5500, sum [[UPDATES]]
  // CHECK-NEXT: updates 2: 1000 5500, sum [[UPDATES]]
  run("updates", updates, graph, frontier);
  // CHECK-NEXT: searches 0: 1000 [[WORK:[0-9]+]], sum [[SUM:[0-9]+]]
  // CHECK-NEXT: searches 1: 1000 [[WORK]], sum [[SUM]]
  // CHECK-NEXT: searches 2: 1000 [[WORK]], sum [[SUM]]
  run("searches", searches, graph, frontier);
  // CHECK-NEXT: pointers 0: 1000 [[WORK:[0-9]+]], sum [[SUM:[0-9]+]]
  // CHECK-NEXT: pointers 1: 1000 [[WORK]], sum [[SUM]]
  // CHECK-NEXT: pointers 2: 1000 [[WORK]], sum [[SUM]]
  run("pointers", pointers, graph, frontier);
  // CHECK-NEXT: pairs 0: 1000 1000, sum [[PAIRS:[0-9]+]]
  // CHECK-NEXT: pairs 1: 1000 1000, sum [[PAIRS]]
  // CHECK-NEXT: pairs 2: 1000 1000, sum [[PAIRS]]
  run("pairs", pairs, graph, frontier);
  // CHECK-NEXT: chase 0: 1000 1000, sum [[CHASE:[0-9]+]]
  // CHECK-NEXT: chase 1: 1000 1000, sum [[CHASE]]
  // CHECK-NEXT: chase 2: 1000 1000, sum [[CHASE]]
  run("chase", chase, graph, frontier);
}
