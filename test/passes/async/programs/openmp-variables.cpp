// OpenMP's classes of variables keep their meaning.
//
// RUN: %same_output %fopenmp | FileCheck %s
// CHECK-NOT: not interleaved
// CHECK-COUNT-4: interleaved the loop's iterations
// CHECK-NOT: interleaved

#include "../Inputs/program.h"

PROGRAM(privateVariables) {
  int64_t sum = 0, scratch = 5, factor = n;
#pragma omp parallel for private(scratch) firstprivate(factor)                 \
    reduction(+ : sum)
  ASYNC_LOOP(CLAUSES) {
    scratch = table[keys[i]];
    scratch += table[scratch];
    sum += scratch * factor;
  }
  return sum;
}

PROGRAM(lastPrivate) {
  int64_t value = 5, sum = 0;
#pragma omp parallel for lastprivate(value) reduction(+ : sum)
  ASYNC_LOOP(CLAUSES) {
    value = table[table[keys[i]]];
    sum += value;
  }
  return n ? value * 7 + sum : sum;
}

PROGRAM(reductions) {
  int64_t sum = 1, most = -5;
  unsigned bits = 3;
  double floating = 0;
  bool any = false;
#pragma omp parallel for reduction(+ : sum, floating) reduction(max : most)    \
    reduction(^ : bits) reduction(|| : any) schedule(dynamic, 20)
  ASYNC_LOOP(CLAUSES) {
    int64_t value = table[table[keys[i]]];
    sum += value;
    floating += double(value);
    most = value > most ? value : most;
    bits ^= unsigned(value) << (i & 7);
    any = any || value == 100;
  }
  return sum + most * 3 + bits + int64_t(floating) + any;
}

static int64_t shared[Elements];

PROGRAM(sharedArray) {
  for (int64_t i = 0; i < Elements; ++i)
    shared[i] = 0;
#pragma omp parallel for
  ASYNC_LOOP(CLAUSES)
    shared[i] = table[table[keys[i]]] + i;
  int64_t sum = 0;
  for (int64_t i = 0; i < Elements; ++i)
    sum = sum * 31 + shared[i];
  return sum;
}

int main() {
  prepare();
  printPrograms();
}
