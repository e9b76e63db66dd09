// Inner loops of few iterations: what unrolling makes one group of requests is
// unrolled, and what it would make many suspension points is not.
//
// RUN: %clangxx -O2 -fno-discard-value-names -Rpass=heddle -Rpass-missed=heddle -Wno-pass-failed -Xclang -verify -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clangxx -O3 -Rpass=heddle -Rpass-missed=heddle -Wno-pass-failed -Xclang -verify -S -emit-llvm -o /dev/null %s

#include "../../support/loop.h"

long chain(const long *next, const long *first, long n) {
  long sum = 0;
  ASYNC_LOOP() { // expected-remark {{1 suspension point, 1 request,}}
    long at = first[i];
    for (int step = 0; step < 32; ++step)
      at = next[at];
    sum += at;
  }
  return sum;
}

// A function is optimised before it becomes a part of its callers.
static long walk(const long *next, long at) {
  for (int step = 0; step < 32; ++step)
    at = next[at];
  return at;
}

static long walkTwice(const long *next, long at) {
  return walk(next, walk(next, at));
}

long callee(const long *next, const long *first, long n) {
  long sum = 0;
  ASYNC_LOOP() // expected-remark {{2 suspension points, 2 requests,}}
    sum += walkTwice(next, first[i]);
  return sum;
}

// An access behind a condition has its own suspension point in each iteration.
void conditions(const long *table, const long *keys, long *out, long n) {
  ASYNC_LOOP() // expected-remark {{2 suspension points, 2 requests,}}
    for (int k = 0; k < 20; ++k) {
      const long value = table[keys[i * 20 + k]];
      if (value & 1)
        out[i] += table[value];
    }
}

// CHECK-LABEL: define {{.*}}group
// CHECK-COUNT-12: call void @llvm.prefetch
long group(const long *table, const long *keys, long n) {
  long sum = 0;
  ASYNC_LOOP() // expected-remark {{12 requests (12 early)}}
    for (int k = 0; k < 12; ++k)
      sum += table[keys[i * 12 + k]];
  return sum;
}

// Few steps stay straight code.
long fewSteps(const long *next, const long *first, long n) {
  long sum = 0;
  ASYNC_LOOP() { // expected-remark {{3 requests (1 early)}}
    long at = first[i];
    for (int step = 0; step < 3; ++step)
      at = next[at];
    sum += at;
  }
  return sum;
}

// Functions that no annotated loop calls are left to LLVM.
// CHECK-LABEL: define {{.*}}elsewhere
// CHECK-COUNT-32: load i64
// CHECK: ret i64
long elsewhere(const long *next, long at) {
  for (int step = 0; step < 32; ++step)
    at = next[at];
  return at;
}

// Loops that ask to be unrolled are unrolled.
long asked(const long *next, const long *first, long n) {
  long sum = 0;
  ASYNC_LOOP() { // expected-remark {{31 suspension points}}
    long at = first[i];
#pragma clang loop unroll(full)
    for (int step = 0; step < 32; ++step)
      at = next[at];
    sum += at;
  }
  return sum;
}
