// Loops in an iteration, or in a section, that threads share: one thread runs
// all iterations of each, in order.
//
// RUN: %same_output %fopenmp | FileCheck %s
// CHECK: remark: interleaved the loop's iterations

#include "Inputs/program.h"

#include <vector>

using Numbers = std::vector<int64_t>;

static int64_t far(int64_t key) { return table[table[table[key]]]; }
static int64_t digest(const Numbers &values) {
  int64_t sum = 0;
  for (int64_t value : values)
    sum = sum * 31 + value;
  return sum;
}

static int64_t appended(int64_t n, int64_t turn) {
  Numbers out(Elements);
  int64_t count = 0;
  ASYNC_LOOP(CLAUSES)
    if (far(keys[i]) % 3 != turn)
      out[count++] = i;
  return digest(out) + count;
}
NOINLINE static int64_t appendedInCallee(int64_t n, int64_t turn) {
  return appended(n, turn);
}
static int64_t exchanged(int64_t n, int64_t turn) {
  Numbers most(64);
  int64_t failed = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t &place = most[keys[i] % 64];
    int64_t old = __atomic_load_n(&place, __ATOMIC_RELAXED);
    const int64_t weight = far(keys[i]) + turn;
    failed += old < weight &&
              !__atomic_compare_exchange_n(&place, &old, weight, false,
                                           __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
  }
  return digest(most) + failed;
}
static int64_t started(int64_t n, int64_t turn) {
  Numbers out(Elements);
  int64_t count = 0;
#pragma heddle async CLAUSES
  for (int64_t i = turn; i < n; ++i)
    if (far(keys[i]) & 1)
      out[count++] = i;
  return digest(out) + count;
}

#define TURNS(name, schedule, call)                                            \
  PROGRAM(name) {                                                              \
    int64_t total = 0;                                                         \
    HEDDLE_PRAGMA(omp parallel for schedule reduction(+ : total))              \
    for (int64_t turn = 0; turn < 4; ++turn)                                   \
      total += call(n, turn);                                                  \
    return total;                                                              \
  }
TURNS(dynamicTurns, schedule(dynamic, 1), appended)
TURNS(staticTurns, schedule(static), appended)
TURNS(chunkedTurns, schedule(static, 1), appended)
TURNS(calleeTurns, schedule(dynamic, 1), appendedInCallee)
TURNS(exchangedTurns, schedule(dynamic, 1), exchanged)
TURNS(startedTurns, schedule(static), started)

PROGRAM(sections) {
  int64_t one = 0, other = 0;
#pragma omp parallel sections
  {
#pragma omp section
    one = appended(n, 1);
#pragma omp section
    other = exchanged(n, 2);
  }
  return one + 3 * other;
}

PROGRAM(behindAnotherLoop) {
  int64_t total = 0;
#pragma omp parallel reduction(+ : total)
  {
#pragma omp for schedule(dynamic, 16) nowait
    for (int64_t i = 0; i < n; ++i)
      total += table[i];
#pragma omp single
    total += appended(n, 0) + exchanged(n, 1);
  }
  return total;
}

int main() {
  prepare();
  printPrograms();
}
