// The accesses of an inner loop are requested for a block of iterations at a
// time, with one suspension a block, where they are known ahead.
//
// RUN: %clangxx -O2 -fno-discard-value-names -Rpass=heddle -Rpass-missed=heddle -Wno-pass-failed -Xclang -verify -S -emit-llvm -o - %s | FileCheck %s

#include "../../support/loop.h"

// A row of a graph: where it begins and ends is requested (one line), then the
// first of its edges, then what the edges lead to.
// CHECK-LABEL: define {{.*}}row
// CHECK: block.prefetch
long row(const int *queue, const long *offsets, const int *edges,
         const long *values, long n) {
  long sum = 0;
  ASYNC_LOOP() // expected-remark {{2 suspension points, 3 requests (1 early),}}
    for (long j = offsets[queue[i]]; j < offsets[queue[i] + 1]; ++j)
      sum += values[edges[j]];
  return sum;
}

// Two levels of accesses: a suspension after each.
// CHECK-LABEL: define {{.*}}twoLevels
// CHECK: block.prefetch
long twoLevels(const long *offsets, const int *edges, const long *values,
               long n) {
  long sum = 0;
  ASYNC_LOOP() // expected-remark {{2 suspension points, 2 requests,}}
    for (long j = offsets[i]; j < offsets[i + 1]; ++j)
      sum += values[values[edges[j]]];
  return sum;
}

// A chain is not known ahead: a suspension an element.
// CHECK-LABEL: define {{.*}}chain
// CHECK-NOT: block.prefetch
long chain(const long *starts, const long *next, long n) {
  long sum = 0;
  ASYNC_LOOP() // expected-remark {{1 suspension point, 1 request,}}
    for (long at = starts[i]; at >= 0; at = next[at])
      sum += at;
  return sum;
}

// An address that does not change in the inner loop is requested once.
// CHECK-LABEL: define {{.*}}invariant
// CHECK-NOT: block.prefetch
// CHECK: attributes #0
void invariant(const int *keys, const long *values, long *table, long n,
               long m) {
  ASYNC_LOOP() { // expected-remark {{1 suspension point, 1 request,}}
    long *place = &table[keys[i]];
    for (long j = 0; j < m; ++j)
      __atomic_fetch_add(place, values[j], __ATOMIC_RELAXED);
  }
}
