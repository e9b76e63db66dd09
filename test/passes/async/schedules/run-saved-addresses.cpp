// The address of an element of a static array is kept while a task waits. LLVM
// has found out before that no memory holds such an address, and would take
// what a task reads from its context to lead elsewhere: the stores to the array
// would sink behind the read.
//
// RUN: %same_output | FileCheck %s
// CHECK: remark: interleaved

#include "../Inputs/program.h"

static thread_local uint64_t buffer[4][5];
static uint64_t totals[Elements];

PROGRAM(readBehindWrites) {
  for (uint64_t &total : totals)
    total = 0;
  const int64_t *wide = table;
  ASYNC_LOOP(CLAUSES) {
    const int64_t row = table[keys[i]];
    uint64_t *const place = buffer[2];
    const int64_t wanted = uint64_t(table[table[i]]) % 5;
    for (int64_t e = 0; e < 1 + (row & 3); ++e) {
      const int64_t x = wide[table[(row + e * 7) % Elements]];
      for (int64_t k = 0; k < 5; ++k)
        place[k] = nodes[table[(x + k) % Elements]].value;
      __atomic_fetch_add(&totals[row], place[wanted], __ATOMIC_RELAXED);
    }
  }
  uint64_t sum = 0;
  for (uint64_t total : totals)
    sum = sum * 31 + total;
  return sum;
}

int main() {
  prepare();
  printPrograms();
}
