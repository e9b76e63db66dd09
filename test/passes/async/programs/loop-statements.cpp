// while and do loops, which count only in the eyes of the analysis, or not at
// all.
//
// RUN: %same_output | FileCheck %s
// CHECK-NOT: not interleaved
// CHECK-COUNT-5: interleaved the loop's iterations
// CHECK-NOT: interleaved

#include "../Inputs/program.h"

PROGRAM(whileLoop) {
  int64_t sum = 0;
#pragma heddle async CLAUSES
  while (n > 0) {
    --n;
    sum += table[table[keys[n]]];
  }
  return sum;
}

PROGRAM(doLoop) {
  int64_t sum = 0, i = 0;
#pragma heddle async CLAUSES
  do {
    sum += table[table[keys[i]]];
    ++i;
  } while (i < n);
  return sum;
}

// How often this runs only running it tells.
PROGRAM(uncounted) {
  int64_t sum = 0;
#pragma heddle async CLAUSES
  while (n) {
    sum += table[table[keys[n - 1]]];
    n = n & 1 ? n >> 1 : n - 1;
  }
  return sum;
}

PROGRAM(uncountedDo) {
  int64_t sum = 0, steps = 0;
#pragma heddle async CLAUSES
  do {
    sum += table[table[keys[n % Elements]]];
    n = n & 1 ? 3 * n + 1 : n / 2;
    ++steps;
  } while (n > 1);
  return sum * 1000 + steps;
}

// The head of the loop holds more than the test.
NOINLINE int64_t testAfterWork(int64_t n) {
  int64_t sum = 0, i = 0, key;
#pragma heddle async CLAUSES
  while (key = keys[i] + i, i < n) {
    sum += table[table[key % Elements]];
    ++i;
  }
  return sum;
}

int main() {
  prepare();
  printPrograms();
  printForAllCounts("test after work",
                    [](int64_t n) { return testAfterWork(n % Elements); });
}
