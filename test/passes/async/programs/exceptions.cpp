// Exceptions that an iteration handles itself, and loops that are left alone
// because one could leave them.
//
// RUN: %same_output | FileCheck %s

#include "../Inputs/program.h"
#include <new>

NOINLINE int64_t mayThrow(int64_t value) {
  if (value % 5 == 0)
    throw int(value);
  return value * 3;
}

// CHECK-DAG: :[[#@LINE + 3]]:{{.*}}remark: loop not interleaved
NOINLINE int64_t leaves(int64_t n) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES)
    sum += mayThrow(table[table[keys[i]]]);
  return sum;
}

NOINLINE int64_t catches(int64_t n) {
  int64_t sum = 0, caught = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t value = table[table[keys[i]]];
    try {
      sum += mayThrow(value);
    } catch (...) {
      ++caught;
    }
    sum += table[value];
  }
  return sum * 1000 + caught;
}

int main() {
  prepare();
  printForAllCounts("leaves", [](int64_t n) {
    try {
      return leaves(n);
    } catch (int value) {
      return int64_t(value);
    }
  });
  printForAllCounts("catches", catches);
}
