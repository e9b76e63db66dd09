// How many tasks there are polling shows, from 64 on; a fixed number stays.
//
// RUN: %clang -O2 -S -emit-llvm -o - %s | FileCheck %s

#include "../support/loop.h"
#include "heddle/far.h"

// No tasks(N), room for 256, a suspension point, no decision, and what is kept.
// CHECK: @heddle.site = {{.*}} i32 0, i32 256, i32 1, i32 0, i32 64, [24 x i64]
long gather(heddle_far const long *table, const int *index, int n) {
  long sum = 0;
  ASYNC_LOOP(scheduler(dynamic))
    sum += table[index[i]];
  return sum;
}

// CHECK: @heddle.site{{.*}} i32 40, i32 40, i32 1, i32 0, i32 0, [24 x i64]
long fixed(heddle_far const long *table, const int *index, int n) {
  long sum = 0;
  ASYNC_LOOP(scheduler(dynamic) tasks(40))
    sum += table[index[i]];
  return sum;
}

// Where iterations have variables of their own, there is less room.
// CHECK: @heddle.site{{.*}} i32 0, i32 64, i32 1, i32 0, i32 64, [24 x i64]
void fill(long *);
long locals(heddle_far const long *table, const int *index, int n) {
  long sum = 0;
  ASYNC_LOOP(scheduler(dynamic)) {
    long own[512];
    fill(own);
    sum += table[index[i]] + own[index[i] & 511];
  }
  return sum;
}
