// Iterations that update a variable in order, whether or not they wait for
// memory before that, with variables of their own that they keep until then.
//
// RUN: %same_output | FileCheck %s
// CHECK-COUNT-3: remark: interleaved

#include "Inputs/program.h"

static bool skips(int64_t i, int64_t n) {
  switch (n % 4) {
  case 0:
    return i > 100;
  case 1:
    return i < n - 10;
  case 2:
    return i % 300 < 200;
  default:
    return true;
  }
}

PROGRAM(sometimesWaits) {
  uint64_t hash = 7;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    int64_t value = i;
    if (!skips(i, n))
      value = table[table[table[keys[i]]]];
    hash = hash * 31 + value;
  }
  return hash;
}

PROGRAM(alwaysWaits) {
  uint64_t hash = 7;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i)
    hash = hash * 31 + table[table[table[keys[i]]]];
  return hash;
}

// Iterations that wait for their turn hold their variables, beyond the number
// of those that wait for memory.
PROGRAM(withLocals) {
  uint64_t hash = 7;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    int64_t own[6];
    for (int64_t &value : own)
      value = i + (&value - own);
    for (Node *node = buckets[keys[i] % Buckets]; node; node = node->next)
      own[node->key % 6] += node->value;
    hash = hash * 31 + own[i % 6] * 5 + own[(i + 2) % 6];
  }
  return hash;
}

int main() {
  prepare();
  printPrograms();
}
