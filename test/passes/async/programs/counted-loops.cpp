// Loops that count, in every direction and with every kind of counter.
//
// RUN: %same_output | FileCheck %s
// CHECK-NOT: not interleaved
// CHECK-COUNT-9: interleaved the loop's iterations
// CHECK-NOT: interleaved

#include "../Inputs/program.h"

PROGRAM(upwards) {
  int64_t sum = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i)
    sum += table[table[keys[i]]] ^ i;
  return sum;
}

NOINLINE int64_t int32(int32_t n) {
  int64_t sum = 0;
#pragma heddle async CLAUSES
  for (int32_t i = 0; i < n; ++i)
    sum += table[table[keys[i]]] ^ i;
  return sum;
}

NOINLINE int64_t unsigned32(uint32_t n) {
  int64_t sum = 0;
#pragma heddle async CLAUSES
  for (uint32_t i = 0; i < n; ++i)
    sum += table[table[keys[i]]] ^ i;
  return sum;
}

PROGRAM(unsigned8) {
  int64_t sum = 0;
#pragma heddle async CLAUSES
  for (uint8_t i = 0; i < uint8_t(n); ++i)
    sum += table[table[keys[i]]] ^ i;
  return sum;
}

PROGRAM(downwards) {
  int64_t sum = 0;
#pragma heddle async CLAUSES
  for (int64_t i = n; i-- > 0;)
    sum += table[table[keys[i]]] ^ i;
  return sum;
}

PROGRAM(byThrees) {
  int64_t sum = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 1; i <= n - 2; i += 3)
    sum += table[table[keys[i]]] ^ i;
  return sum;
}

NOINLINE int64_t byVariableSteps(int64_t n, int64_t step) {
  int64_t sum = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; i += step)
    sum += table[table[keys[i]]] ^ i;
  return sum;
}

PROGRAM(twoCounters) {
  int64_t sum = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0, j = n - 1; i < j; ++i, j -= 2)
    sum += table[table[keys[i]]] * table[keys[j]] ^ i;
  return sum;
}

PROGRAM(usedAfterwards) {
  int64_t sum = 0, i = 0;
#pragma heddle async CLAUSES
  for (; i < n; i += 2)
    sum += table[table[keys[i]]];
  return sum * 10000 + i;
}

int main() {
  prepare();
  printPrograms();
  printForAllCounts("int32", int32);
  printForAllCounts("unsigned32", unsigned32);
  printForAllCounts("by fives",
                    [](int64_t n) { return byVariableSteps(n, 5); });
}
