// The sequential clause for variables of every kind, however they are reached.
//
// RUN: %same_output | FileCheck %s
// CHECK-COUNT-3: remark: interleaved

#include "Inputs/program.h"

static uint64_t counter;
static struct {
  int64_t first, list[Elements], length;
} record;

NOINLINE uint64_t nextNumber() noexcept { return ++counter * 3; }

PROGRAM(updatedInCallee) {
  counter = 0;
  uint64_t sum = 0;
#pragma heddle async sequential(counter) CLAUSES
  for (int64_t i = 0; i < n; ++i)
    sum += table[table[keys[i]]] * nextNumber();
  return sum;
}

PROGRAM(list) {
  record.length = 0;
#pragma heddle async sequential(record) CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    int64_t value = table[table[keys[i]]];
    if (value & 1) {
      record.list[record.length] = value;
      record.length++;
    }
  }
  int64_t hash = 0;
  for (int64_t i = 0; i < record.length; ++i)
    hash = int64_t(uint64_t(hash) * 31 + record.list[i]);
  return hash;
}

PROGRAM(locals) {
  uint64_t last = 0, pair[2] = {1, 2};
#pragma heddle async sequential(pair, last) CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    uint64_t value = table[table[keys[i]]];
    pair[value & 1] = pair[(value >> 1) & 1] * 5 + value;
    last = last * 3 + value;
  }
  return pair[0] + pair[1] * 7 + last;
}

int main() {
  prepare();
  printPrograms();
}
