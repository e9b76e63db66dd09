// Every way in which OpenMP hands out iterations, with two threads.
//
// RUN: %same_output %fopenmp | FileCheck %s
// CHECK-NOT: not interleaved
// CHECK-COUNT-9: interleaved the loop's iterations
// CHECK-NOT: interleaved

#include "../Inputs/program.h"

PROGRAM(unscheduled) {
  int64_t sum = 0;
#pragma omp parallel for reduction(+ : sum)
  ASYNC_LOOP(CLAUSES)
    sum += table[table[keys[i]]];
  return sum;
}

PROGRAM(staticChunks) {
  int64_t sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(static, 7)
  ASYNC_LOOP(CLAUSES)
    sum += table[table[keys[i]]] ^ i;
  return sum;
}

PROGRAM(dynamicChunks) {
  int64_t sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(dynamic, 50)
  ASYNC_LOOP(CLAUSES)
    sum += table[table[keys[i]]] ^ i;
  return sum;
}

PROGRAM(singleIterations) {
  int64_t sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(dynamic)
  ASYNC_LOOP(CLAUSES)
    sum += table[table[keys[i]]] ^ i;
  return sum;
}

NOINLINE int64_t guided(int n) {
  int64_t sum = 0, most = 0;
#pragma omp parallel for reduction(+ : sum) reduction(max : most)              \
    schedule(guided, 3)
#pragma heddle async CLAUSES
  for (int i = n - 1; i >= 0; --i) {
    int64_t value = table[table[keys[i]]];
    sum += value * i;
    most = value > most ? value : most;
  }
  return sum * 31 + most;
}

NOINLINE int64_t runtimeSchedule(unsigned n) {
  int64_t sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(runtime)
#pragma heddle async CLAUSES
  for (unsigned i = 0; i < n; i += 2)
    sum += table[table[keys[i]]] ^ i;
  return sum;
}

NOINLINE int64_t collapsed(int n) {
  int64_t sum = 0;
#pragma omp parallel for reduction(+ : sum) collapse(2)
#pragma heddle async CLAUSES
  for (int i = 0; i < n / 8; ++i)
    for (int j = 0; j < 9; ++j)
      sum += table[table[keys[(i * 8 + j) % Elements]]] * (j + 1) ^ i;
  return sum;
}

PROGRAM(withinParallel) {
  int64_t sum = 0;
#pragma omp parallel
  {
    int64_t mine = 0;
#pragma omp for nowait
    ASYNC_LOOP(CLAUSES)
      mine += table[table[keys[i]]];
#pragma omp atomic
    sum += mine;
  }
  return sum;
}

// A serial annotated loop in a parallel one.
PROGRAM(within) {
  int64_t sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(dynamic)
  for (int64_t i = 0; i < 4; ++i)
#pragma heddle async CLAUSES
    for (int64_t j = 0; j < n; ++j)
      sum += table[table[keys[j]] / (i + 1)] * i;
  return sum;
}

int main() {
  prepare();
  printPrograms();
  printForAllCounts("guided", guided);
  printForAllCounts("runtime schedule", runtimeSchedule);
  printForAllCounts("collapsed", collapsed);
}
