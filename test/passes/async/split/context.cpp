// The context of a task at a suspension: nothing that all tasks share, nothing
// that follows from the iteration's number.
//
// RUN: %clangxx -O2 -fno-discard-value-names -Rpass=heddle -Rpass-missed=heddle -Wno-pass-failed -Xclang -verify -S -emit-llvm -o - %s | FileCheck %s

#include "../../support/loop.h"

// The index, from which everything else follows.
// CHECK-LABEL: define {{.*}}recomputed
// CHECK: call {{.*}} ptr @heddle.contexts.begin(i64 [[#mul(128,8)]], i64 64)
// CHECK: store i64
long recomputed(const long *keys, const long *table, long a, long b, long n) {
  long sum = 0;
  // expected-remark@+1 {{1 suspension point, 1 request, 8 bytes of context}}
  ASYNC_LOOP(scheduler(fifo))
    sum += table[i * i * 7919 >> a] * ((i * 3 + a) ^ b);
  return sum;
}

// The key, but not what the loop does not change, nor the sum.
long loaded(const int *keys, const long *table, long a, long b, double c,
            long n) {
  long sum = 0;
  // expected-remark@+1 {{1 suspension point, 1 request, 4 bytes of context}}
  ASYNC_LOOP(scheduler(lockstep))
    sum += table[keys[i]] * a + b + long(c);
  return sum;
}

// Both the address and what is computed from another value.
long two(const int *keys, const double *weights, const double *table, long n) {
  double sum = 0;
  // expected-remark@+1 {{1 suspension point, 1 request, 12 bytes of context}}
  ASYNC_LOOP(scheduler(lockstep)) {
    double weight = weights[i] / 3;
    sum += table[keys[i]] * weight;
  }
  return long(sum);
}

// A value that only the second suspension needs is not kept for the first.
long stages(const long *keys, const long *table, long n) {
  long sum = 0;
  ASYNC_LOOP() // expected-remark {{2 suspension points, 3 requests (1 early), 8 bytes of context}}
    sum += table[table[table[keys[i]]]];
  return sum;
}

struct Arc {
  const Arc *next;
  const long *head;
};

// Nor is a field of an object that is at hand anyway, where nothing can change
// it: the context is the arc alone.
long fields(const Arc *const *lists, long n) {
  long sum = 0;
  ASYNC_LOOP() // expected-remark {{1 suspension point, 3 requests (1 early), 8 bytes of context}}
    for (const Arc *arc = lists[i]; arc; arc = arc->next)
      sum += *arc->head;
  return sum;
}

// Here a store could, and in the next loop another thread that publishes it.
void changingFields(const Arc *const *lists, const long **out, long n) {
  ASYNC_LOOP() { // expected-remark {{1 suspension point, 2 requests (1 early), 24 bytes of context}}
    const Arc *arc = lists[i];
    const long *head = arc->head;
    out[i] = *head ? head : (const long *)arc;
  }
}

long publishedFields(const Arc *const *lists, const int *ready, long n) {
  long sum = 0;
  ASYNC_LOOP() { // expected-remark {{1 suspension point, 2 requests (1 early), 16 bytes of context}}
    const Arc *arc = lists[i];
    const long *head = arc->head;
    sum +=
        *head + __atomic_load_n(ready, __ATOMIC_ACQUIRE) + (head == arc->head);
  }
  return sum;
}
