// Local variables around the loop that iterations use as scratch space, without
// a clause that says so: however the loops are treated, the result is the same.
//
// RUN: %same_output | FileCheck %s
// CHECK-COUNT-3: remark: {{(loop not )?interleaved|requested ahead}}

#include "../Inputs/program.h"

NOINLINE int64_t increment(int64_t *value) noexcept { return *value += 3; }

PROGRAM(usedByCallee) {
  int64_t sum = 0, scratch = 0;
  increment(&scratch);
  ASYNC_LOOP(CLAUSES) {
    scratch = table[keys[i]];
    sum += table[table[scratch]];
    increment(&scratch);
    sum += scratch;
  }
  return sum;
}

PROGRAM(buffer) {
  int64_t sum = 0, values[3] = {0, 1, 2};
  increment(values);
  ASYNC_LOOP(CLAUSES) {
    values[0] = table[keys[i]];
    values[1] = table[values[0]];
    values[2] = table[values[1]];
    increment(&values[1]);
    sum += values[0] + values[1] * 3 + values[2] * 5;
  }
  return sum;
}

// Initialised in front of the loop, used behind it, and never known to anyone
// else.
PROGRAM(initialised) {
  int64_t sum = 0, scratch[8] = {0};
  ASYNC_LOOP(CLAUSES) {
    for (int64_t j = 0; j < 8; ++j)
      scratch[j] = keys[i] >> j;
    int64_t value = table[table[keys[i]]];
    sum += scratch[value & 7];
  }
  return sum + scratch[n & 7];
}

int main() {
  prepare();
  printPrograms();
}
