// Iterations of several chunks of OpenMP are in flight at once. The results are
// those of the plain program for all schedules and numbers of threads: sums,
// outputs at each iteration's place, buffers of threads, and loops that stay as
// they are because of `ordered` or `lastprivate`.
//
// RUN: %same_output %fopenmp | FileCheck %s
// CHECK: remark: interleaved the loop's iterations

#include "Inputs/program.h"

#include <algorithm>
#include <omp.h>
#include <vector>

using Numbers = std::vector<int64_t>;

static int64_t search(int64_t key) {
  const Node *node = buckets[scramble(key) % Buckets];
  while (node && node->key != key)
    node = node->next;
  return node ? node->value : -1;
}

static int64_t digest(const Numbers &values) {
  int64_t sum = 0;
  for (int64_t value : values)
    sum = sum * 31 + value;
  return sum;
}

#define PRAGMA(...) _Pragma(#__VA_ARGS__)

#define LOOPS(NAME, ...)                                                       \
  static int64_t sumOf##NAME(int64_t n) {                                      \
    int64_t sum = 0, best = 0;                                                 \
    PRAGMA(omp parallel for reduction(+:sum) reduction(max:best)               \
           schedule(__VA_ARGS__))                                              \
    PRAGMA(heddle async)                                                       \
    for (int64_t i = 0; i < n; ++i) {                                          \
      int64_t found = search(2 * i);                                           \
      sum += found;                                                            \
      best = std::max(best, found * 7 % 1009);                                 \
    }                                                                          \
    return sum * 1009 + best;                                                  \
  }                                                                            \
  static int64_t placesOf##NAME(int64_t n) {                                   \
    Numbers out(3 * n + 1);                                                    \
    PRAGMA(omp parallel for schedule(__VA_ARGS__))                             \
    PRAGMA(heddle async)                                                       \
    for (unsigned i = 3 * n; i > 2; i -= 3)                                    \
      out[i] = search(i) + i;                                                  \
    return digest(out);                                                        \
  }                                                                            \
  static int64_t gatherOf##NAME(int64_t n) {                                   \
    Numbers out(2 * n);                                                        \
    PRAGMA(omp parallel for collapse(2) schedule(__VA_ARGS__))                 \
    PRAGMA(heddle async)                                                       \
    for (int i = 0; i < n; ++i)                                                \
      for (int k = 0; k < 2; ++k)                                              \
        out[2 * i + k] = table[table[keys[i]]] + k;                            \
    return digest(out);                                                        \
  }                                                                            \
  static int64_t buffersOf##NAME(int64_t n) {                                  \
    Numbers all;                                                               \
    PRAGMA(omp parallel) {                                                     \
      Numbers mine(n + 1);                                                     \
      int count = 0;                                                           \
      PRAGMA(omp for schedule(__VA_ARGS__) nowait)                             \
      PRAGMA(heddle async)                                                     \
      for (int i = 0; i < n; ++i)                                              \
        if (int64_t found = search(2 * i); found > 500)                        \
          mine[count++] = found;                                               \
      PRAGMA(omp critical)                                                     \
      all.insert(all.end(), mine.begin(), mine.begin() + count);               \
    }                                                                          \
    std::sort(all.begin(), all.end());                                         \
    return digest(all);                                                        \
  }                                                                            \
  static int64_t levelsOf##NAME(int64_t n) {                                   \
    Numbers out(n);                                                            \
    PRAGMA(omp parallel)                                                       \
    for (int level = 1; level < 4; ++level) {                                  \
      PRAGMA(omp for schedule(__VA_ARGS__))                                    \
      PRAGMA(heddle async)                                                     \
      for (int i = level; i < n; i += level)                                   \
        out[i] += search(i) * level;                                           \
    }                                                                          \
    return digest(out);                                                        \
  }                                                                            \
  static void NAME() {                                                         \
    for (int threads : {1, 2, 4}) {                                            \
      omp_set_num_threads(threads);                                            \
      printForAllCounts(#NAME " sum", sumOf##NAME);                            \
      printForAllCounts(#NAME " places", placesOf##NAME);                      \
      printForAllCounts(#NAME " gather", gatherOf##NAME);                      \
      printForAllCounts(#NAME " buffers", buffersOf##NAME);                    \
      printForAllCounts(#NAME " levels", levelsOf##NAME);                      \
    }                                                                          \
  }

LOOPS(dynamic1, dynamic)
LOOPS(dynamic16, dynamic, 16)
LOOPS(dynamic64, dynamic, 64)
LOOPS(monotonic, monotonic : dynamic, 5)
LOOPS(guided, guided)
LOOPS(chunks1, static, 1)
LOOPS(chunks7, static, 7)
LOOPS(chosen, runtime)

static int64_t inOrder(int64_t n) {
  Numbers out;
#pragma omp parallel for ordered schedule(dynamic, 3)
#pragma heddle async
  for (int i = 0; i < n; ++i) {
    int64_t found = search(2 * i);
#pragma omp ordered
    out.push_back(found + i);
  }
  return digest(out);
}

static int64_t lastOne(int64_t n) {
  int64_t last = -1;
#pragma omp parallel for lastprivate(last) schedule(monotonic : dynamic, 3)
#pragma heddle async
  for (int i = 0; i < n; ++i)
    last = search(i) + i;
  return n ? last : 0;
}

int main() {
  prepare();
  omp_set_schedule(omp_sched_guided, 2);
  dynamic1();
  dynamic16();
  dynamic64();
  monotonic();
  guided();
  chunks1();
  chunks7();
  chosen();
  printForAllCounts("in order", inOrder);
  printForAllCounts("last one", lastOne);
}
