// Variables of the body in memory exist once for every iteration in flight.
//
// RUN: %same_output | FileCheck %s
// CHECK-NOT: not interleaved
// CHECK-COUNT-6: interleaved the loop's iterations
// CHECK-NOT: interleaved

#include "../Inputs/program.h"
#include <string.h>

NOINLINE void fill(int64_t *values, int64_t from) noexcept {
  for (int64_t i = 0; i < 4; ++i)
    values[i] = from + i;
}
NOINLINE int64_t total(const int64_t *values) noexcept {
  return values[0] + values[1] * 3 + values[2] * 5 + values[3] * 7;
}

PROGRAM(array) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t values[4];
    fill(values, i);
    values[i & 3] += table[table[keys[i]]];
    sum += total(values) + table[values[1] % Elements];
  }
  return sum;
}

// Elements that are not written are not carried over from other iterations.
PROGRAM(indexedByGathered) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    char seen[100] = {};
    int64_t at = keys[i], steps = 0;
    while (!seen[at % 100]) {
      seen[at % 100] = 1;
      at = table[at];
      ++steps;
    }
    sum += steps * (i & 15);
  }
  return sum;
}

struct Trace {
  int64_t values[3];
  int count = 0;
  NOINLINE void add(int64_t value) noexcept { values[count++ % 3] = value; }
  NOINLINE ~Trace() noexcept { finished += count + values[0]; }
  static int64_t finished;
};
int64_t Trace::finished;

PROGRAM(object) {
  Trace::finished = 0;
  ASYNC_LOOP(CLAUSES) {
    Trace trace;
    trace.add(table[keys[i]]);
    trace.add(table[table[keys[i]]]);
    if (trace.values[1] & 1)
      trace.add(table[table[i]]);
  }
  return Trace::finished;
}

struct alignas(256) Aligned {
  int64_t values[4];
};

NOINLINE int64_t misalignment(const Aligned *object) noexcept {
  return reinterpret_cast<uintptr_t>(object) % 256;
}

PROGRAM(aligned) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    Aligned object;
    fill(object.values, table[keys[i]]);
    sum += table[table[keys[i]]] + misalignment(&object);
    sum += total(object.values);
  }
  return sum;
}

NOINLINE void next(int64_t *state, int64_t value) noexcept {
  *state = *state * 3 + value;
}

// Declared outside, and the code around the loop sets it; but every iteration
// has its own.
PROGRAM(byClause) {
  int64_t sum = 0, scratch = 0, buffer[4] = {1, 2, 3, 4};
  next(&scratch, n);
  fill(buffer, n);
  ASYNC_LOOP(CLAUSES private(scratch, buffer)) {
    scratch = i;
    next(&scratch, table[keys[i]]);
    buffer[i & 3] = table[table[keys[i]]];
    next(&scratch, buffer[i & 3]);
    sum += scratch;
  }
  return sum;
}

PROGRAM(copies) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    Node copy, again;
    memcpy(&copy, &nodes[table[keys[i]]], sizeof copy);
    again = nodes[copy.value % Elements];
    copy.next = &again;
    sum += copy.key * 3 + copy.next->value;
  }
  return sum;
}

int main() {
  prepare();
  printPrograms();
}
