// Loops within loops within the annotated loop.
//
// RUN: %same_output | FileCheck %s
// CHECK-NOT: not interleaved
// CHECK-COUNT-2: interleaved the loop's iterations
// CHECK-NOT: interleaved

#include "../Inputs/program.h"

NOINLINE int64_t chains(int64_t n) {
  int64_t sum = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; i += 4)
    for (int64_t j = keys[i] & 7; j > 0; --j)
      for (Node *node = buckets[table[keys[i + j]] % Buckets]; node;
           node = node->next)
        sum += node->value * j;
  return sum;
}

NOINLINE int64_t nest(int64_t n) {
  int64_t sum = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; i += 8)
    for (int64_t j = 0; j < (table[keys[i]] & 3); ++j)
      for (int64_t k = table[keys[j]] & 7; k > 0; --k)
        sum += table[table[keys[i + k]]] * (j + 1);
  return sum;
}

int main() {
  prepare();
  printForAllCounts("chains", [](int64_t n) { return chains(n - n / 500); });
  printForAllCounts("nest", [](int64_t n) { return nest(n - n / 500); });
}
