// Where a task has to wait between the load and the store of a
// read-modify-write, it owns what it modifies; where that would not be enough,
// it does not wait there.
//
// RUN: %clang -O2 -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clang -O2 -Rpass=heddle -Rpass-analysis=heddle -Wno-pass-failed -Xclang -verify -c -o /dev/null %s

#include "../support/loop.h"
#include "heddle/far.h"

struct element {
  long sum;
  int index;
};

// CHECK-LABEL: define {{.*}}@dependent(
// CHECK: %[[AMU:.*]] = call ptr @heddle_amu_begin(
// The line and the page are one group.
// CHECK: call void @heddle_amu_acquire(ptr nonnull %[[AMU]], i64 %[[NEW:[^,]*]], i64 %{{.*}})
// CHECK: call void @heddle_amu_astore(ptr nonnull %[[AMU]], i64 %[[NEW]], i64 %{{.*}}, i64 9)
// CHECK: call zeroext i1 @heddle_amu_await(ptr nonnull %[[AMU]], i64 %[[NEW]])
// CHECK: call i64 @heddle_amu_getfin(ptr nonnull %[[AMU]])
// CHECK: call ptr @heddle_far_load(i64 %{{.*}}, i64 8)
// CHECK: call void @heddle_amu_aload(ptr nonnull %[[AMU]], i64 %[[ID:[^,]*]], i64 %{{.*}}, i64 4)
// CHECK: call zeroext i1 @heddle_amu_await(ptr nonnull %[[AMU]], i64 %[[ID]])
// CHECK: call void @heddle_far_store(
// CHECK: call void @heddle_amu_release(ptr nonnull %[[AMU]], i64 %{{.*}})
void dependent(heddle_far struct element *to, heddle_far const int *from,
               const int *at, int n) {
  // expected-remark@+1 {{interleaved the loop's iterations (dynamic schedule): 2 suspension points, 2 requests}}
  ASYNC_LOOP(scheduler(dynamic)) {
    // expected-remark@+1 {{from here, tasks that modify the same memory run one at a time}}
    long old = to[at[i]].sum;
    to[at[i]].sum = old + from[to[at[i]].index];
  }
}

// A task that has not come to the store gives it up when it ends.
// CHECK-LABEL: define {{.*}}@sometimes(
// CHECK: call void @heddle_amu_acquire(
// CHECK: call void @heddle_far_store(
// CHECK: call void @heddle_amu_release(
// CHECK: call void @heddle_amu_release(
void sometimes(heddle_far long *to, heddle_far const long *from, const int *at,
               int n) {
  // expected-remark@+1 {{2 suspension points, 2 requests}}
  ASYNC_LOOP(scheduler(dynamic)) {
    long old = to[at[i]]; // expected-remark {{one at a time}}
    long found = from[old & 0xffff];
    if (found > 0)
      to[at[i]] = old | found;
  }
}

// Nobody else must store there.
// CHECK-LABEL: define {{.*}}@stores(
// CHECK-NOT: heddle_amu_acquire
// CHECK: call zeroext i1 @heddle_amu_await(
void stores(heddle_far long *to, heddle_far const long *from, const int *at,
            int n) {
  // expected-remark@+1 {{1 suspension point, 2 requests}}
  ASYNC_LOOP(scheduler(dynamic)) {
    long old = to[at[i]];
    // expected-remark@+1 {{not hidden: a suspension here would split a read-modify-write}}
    to[at[i]] = old + from[old];
    to[at[i] / 2] = 0;
  }
}

// Nor must there be an atomic update of it.
// CHECK-LABEL: define {{.*}}@updates(
// CHECK-NOT: heddle_amu_acquire
// CHECK: call zeroext i1 @heddle_amu_await(
void updates(heddle_far long *to, heddle_far long *other,
             heddle_far const long *from, const int *at, int n) {
  // expected-remark@+1 {{1 suspension point, 2 requests}}
  ASYNC_LOOP(scheduler(dynamic)) {
    long old = to[at[i]];
    // expected-remark@+1 {{not hidden: a suspension here would split a read-modify-write}}
    to[at[i]] = old + from[old];
    __atomic_fetch_add(&other[at[i]], 1, __ATOMIC_RELAXED);
  }
}

// Ordinary memory is something else.
// CHECK-LABEL: define {{.*}}@near(
// CHECK: call void @heddle_amu_acquire(
void near(heddle_far long *to, heddle_far const long *from, long *seen,
          const int *at, int n) {
  // expected-remark@+1 {{2 suspension points, 2 requests}}
  ASYNC_LOOP(scheduler(dynamic)) {
    const int place = at[i];
    long old = to[place]; // expected-remark {{one at a time}}
    to[place] = old + from[old];
    seen[i] = old;
  }
}

// A task would own two at a time.
// CHECK-LABEL: define {{.*}}@both(
// CHECK-NOT: heddle_amu_acquire
// CHECK: call zeroext i1 @heddle_amu_await(
void both(heddle_far long *restrict to, heddle_far int *restrict other,
          heddle_far const short *from, const int *at, int n) {
  // expected-remark@+1 {{1 suspension point, 2 requests}}
  ASYNC_LOOP(scheduler(dynamic)) {
    const int place = at[i];
    long one = to[place];
    int two = other[place];
    // expected-remark@+1 {{not hidden: a suspension here would split a read-modify-write}}
    short found = from[one + two];
    to[place] = one + found;
    other[place] = two + found;
  }
}

// It may lie in two lines.
struct __attribute__((packed)) packed {
  char tag;
  long value;
};

// CHECK-LABEL: define {{.*}}@unaligned(
// CHECK-NOT: heddle_amu_acquire
// CHECK: call zeroext i1 @heddle_amu_await(
void unaligned(heddle_far struct packed *to, heddle_far const long *from,
               const int *at, int n) {
  // expected-remark@+1 {{1 suspension point, 1 request}}
  ASYNC_LOOP(scheduler(dynamic)) {
    long old = to[at[i]].value;
    // expected-remark@+1 {{not hidden: a suspension here would split a read-modify-write}}
    to[at[i]].value = old + from[old];
  }
}

// An owner that waits for its turn would wait for tasks that wait for it.
// CHECK-LABEL: define {{.*}}@turns(
// CHECK-NOT: heddle_amu_acquire
// CHECK: call zeroext i1 @heddle_amu_await(
unsigned long turns(heddle_far long *to, heddle_far const long *from,
                    const int *at, int n) {
  unsigned long hash = 1;
  // expected-remark@+2 {{1 suspension point, 1 request}}
  // expected-remark@+1 {{sequential}}
  ASYNC_LOOP(scheduler(dynamic)) {
    const int place = at[i];
    long old = to[place];
    // expected-remark@+1 {{not hidden: a suspension here would split a read-modify-write}}
    long found = from[old];
    to[place] = old + found;
    hash = hash * 31 + (unsigned long)found;
  }
  return hash;
}
