// Loops of more iterations than numbers of 32 bits tell apart: iterations
// beyond are others, and are told by their whole numbers.
//
// REQUIRES: plugin
// RUN: %heddle_clang -fheddle-check -O1 -I%S/../../../runtime %s -o %t
// RUN: HEDDLE_CHECK=json:%t.json %t && %S/Inputs/expected-findings %s %t.json
// RUN: FileCheck %s < %t.json
// CHECK: "iteration": 42949{{[0-9]+}}, "access": "write"
// CHECK: "iteration": 42949{{[0-9]+}}, "access": "read"

#include "check/execution.h"
enum { N = 100 };
static uint64_t a[N], b[N], sums[N], out;

// As if very many iterations had come before.
static void pass_most(int i) {
  if (i == 10)
    heddle_innermost->cells.iteration = UINT32_MAX - 15;
}
// silent
static void own_places(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    pass_most(i);
    b[i] = i;
    b[i] = b[i] + 1;
  }
}
// silent
static void histogram(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    pass_most(i);
    sums[b[i] % 7] += i;
  }
}
// finds: reads what another iteration wrote
static void last_of_before(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    pass_most(i);
    if (i == 60)
      a[1] = b[i];
    if (i == 90)
      out = a[b[0]];
  }
}
int main(void) {
  own_places();
  histogram();
  last_of_before();
}
