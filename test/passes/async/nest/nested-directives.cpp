// An annotated loop within another, and several in one function.
//
// RUN: %same_output | FileCheck %s
// CHECK-DAG: :[[#@LINE + 9]]:{{.*}}remark: loop not interleaved: a loop inside it is annotated too and was interleaved instead
// CHECK-DAG: :[[#@LINE + 11]]:{{.*}}remark: interleaved the loop's iterations

#include "../Inputs/program.h"

NOINLINE int64_t nested(int64_t n) {
  int64_t total = 0;
  // clang-format off: the checks count lines
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; i += 32) {
    int64_t at = table[table[keys[i]]] / 2, sum = 0;
#pragma heddle async CLAUSES
    for (int64_t j = at; j < at + i / 8; ++j)
      sum += table[table[keys[j]]];
    total += sum * i;
  }
  // clang-format on
  return total;
}

NOINLINE int64_t oneAfterTheOther(int64_t n) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES)
    sum += table[table[keys[i]]];
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < sum % Elements; ++i)
    sum += table[table[keys[i]]] * 3;
  if (sum & 1)
    ASYNC_LOOP(CLAUSES)
      sum ^= table[table[keys[i]]] * 5;
  return sum;
}

int main() {
  prepare();
  printForAllCounts("nested", nested);
  printForAllCounts("one after the other", oneAfterTheOther);
}
