// The inner loops of the serial version are those of the plain loop: work is
// counted around them, and what was kept rolled for tasks is unrolled in it.
//
// RUN: %clangxx -O3 -fno-discard-value-names -S -emit-llvm -o - %s | FileCheck %s

#include "../../support/loop.h"

// The bound is read again after each store, so the number of iterations is not
// known ahead: the counter tells it in the end.
// CHECK-LABEL: define {{.*}}reach
// CHECK: {{^}}for.cond.cleanup5.loopexit:
// CHECK-NEXT: [[END:%.*]] = call i64 asm "", "=r,0"(i64 %[[COUNTER:.*]])
// CHECK-NEXT: [[STEPS:%.*]] = sub i64 [[END]],
// CHECK-NEXT: add i64 %heddle.work.0, [[STEPS]]
// CHECK: {{^}}for.body6:
// CHECK-NOT: heddle
// CHECK: %[[COUNTER]] = add nsw i64 %e.029, 1
// CHECK-NEXT: icmp slt
// CHECK-NEXT: br i1 {{.*}}label %for.body6, label %for.cond.cleanup5.loopexit
long reach(const long *starts, const long *to, long *parents,
           const long *frontier, long n) {
  long count = 0;
  ASYNC_LOOP() {
    const long from = frontier[i];
    for (long e = starts[from]; e < starts[from + 1]; ++e)
      if (parents[to[e]] < 0) {
        parents[to[e]] = from;
        ++count;
      }
  }
  return count;
}

// CHECK-LABEL: define {{.*}}chain
// CHECK: {{^}}for.body:
// CHECK-COUNT-25: load i64, ptr %arrayidx
// CHECK: br i1 {{.*}}label %for.body
long chain(const long *next, const long *first, long n) {
  long sum = 0;
  ASYNC_LOOP() {
    long at = first[i];
    for (int step = 0; step < 24; ++step)
      at = next[at];
    sum += at;
  }
  return sum;
}

// It counts by the variable that the loop compares with its bound, though this
// does not start at 0.
// CHECK-LABEL: define {{.*}}fromStart
// CHECK-NOT: %heddle.iteration =
// CHECK: {{^}}}
long fromStart(const long *next, const long *begin, const long *end) {
  long sum = 0;
#pragma heddle async
  for (const long *at = begin; at != end; at += 3)
    sum += next[next[*at]];
  return sum;
}

// A search, of which the number is needed that finds something.
// CHECK-LABEL: define {{.*}}search
// CHECK-NOT: %heddle.iteration =
// CHECK: {{^}}}
long search(const long *next, const long *keys, long begin, long end) {
#pragma heddle async
  for (long i = begin; i < end; ++i)
    if (next[next[keys[i]]] < 0)
      return i;
  return -1;
}
