// Requests whose addresses follow from the iteration's number suspend no task:
// they go out as many launches before as there are tasks, and in front of the
// first launch for the first tasks.
//
// RUN: %clangxx -O2 -fno-unroll-loops -fno-discard-value-names -Rpass=heddle -Rpass-missed=heddle -Wno-pass-failed -Xclang -verify -S -emit-llvm -o - %s | FileCheck %s

#include "../../support/loop.h"

struct Node {
  Node *next;
  long value;
};

// The number is that of an iteration of this chunk: what is behind the arrays
// is not read.
// CHECK-LABEL: define {{.*}}chains
// CHECK: {{^}}task.launch.launch
// CHECK: [[NEXT:%.*]] = xor i64 [[NOW:%heddle.next.*]], -1
// CHECK: [[LEFT:%.*]] = add i64 %{{.*}}, [[NEXT]]
// CHECK: [[AHEAD:%.*]] = {{(tail )?}}call i64 @llvm.umin.i64(i64 %heddle.tasks{{.*}}, i64 [[LEFT]])
// CHECK: [[KEY:%.*]] = getelementptr {{.*}}i64, ptr %keys, i64 [[NOW]]
// CHECK: getelementptr {{.*}}i64, ptr [[KEY]], i64 [[AHEAD]]
// CHECK: call void @llvm.prefetch
// CHECK: {{^}}early:
// CHECK: {{^}}early.request:
// CHECK: [[AT:%.*]] = phi i64
// CHECK: getelementptr {{.*}}i64, ptr %keys, i64 [[AT]]
// CHECK: call void @llvm.prefetch
// CHECK: br i1 {{.*}}, label %early.request
long chains(Node *const *lists, const long *keys, long n) {
  long sum = 0;
  // expected-remark@+1 {{1 suspension point, 2 requests (1 early),}}
  ASYNC_LOOP(scheduler(lockstep))
    for (Node *node = lists[keys[i]]; node; node = node->next)
      sum += node->value;
  return sum;
}

// A hash is as good as an index.
long hashed(Node *const *lists, const unsigned long *keys, long n) {
  long sum = 0;
  // expected-remark@+1 {{1 suspension point, 2 requests (1 early),}}
  ASYNC_LOOP(scheduler(fifo))
    for (Node *node = lists[keys[i] * 0x9E3779B97F4A7C15 >> 40]; node;
         node = node->next)
      sum += node->value;
  return sum;
}

struct Arc {
  Arc *next;
  Node *head;
};

// So is a pointer, null where there is nothing to request.
long heads(Arc *const *lists, long n) {
  long sum = 0;
  // expected-remark@+1 {{1 suspension point, 3 requests (1 early),}}
  ASYNC_LOOP(scheduler(lockstep))
    for (Arc *arc = lists[i]; arc; arc = arc->next)
      sum += arc->head->value;
  return sum;
}

// Lines that only some iterations need are not requested for all.
long sometimes(const long *table, const long *keys, const bool *wanted,
               long n) {
  long sum = 0;
  // expected-remark@+1 {{2 suspension points, 2 requests,}}
  ASYNC_LOOP(scheduler(lockstep))
    if (wanted[i])
      sum += table[table[keys[i]]];
  return sum;
}

// In a loop that is not counted, the iterations to come are not known.
long endless(const long *table, const long *keys) {
  long sum = 0;
#pragma heddle async scheduler(lockstep)
  // expected-remark@+1 {{2 suspension points, 2 requests,}}
  for (const long *key = keys; *key >= 0; ++key)
    sum += table[table[*key]];
  return sum;
}

// An index that is loaded may lead to another load, unless an earlier iteration
// may still have to set it.
long stable(const long *small, const long *table, const long *keys, long n) {
  long sum = 0;
  // expected-remark@+1 {{1 suspension point, 2 requests (1 early),}}
  ASYNC_LOOP(scheduler(lockstep) near(small))
    sum += table[table[small[keys[i]]]];
  return sum;
}

void unstable(const long *small, const long *table, const long *keys, long *out,
              long n) {
  // expected-remark@+1 {{2 suspension points, 2 requests,}}
  ASYNC_LOOP(scheduler(lockstep) near(small))
    out[i] = table[table[small[keys[i]]]];
}

// Values that only the task itself has are not known early; values that follow
// from the iteration's number all the same are.
long own(const long *table, const long *keys, long n) {
  long sum = 0;
  // expected-remark@+1 {{1 suspension point, 2 requests (1 early),}}
  ASYNC_LOOP(scheduler(lockstep)) {
    long both[2] = {keys[i], i};
    sum += table[table[both[0]] + both[i & 1]];
  }
  return sum;
}

// If nothing else suspends, no task does: iterations run one by one, and
// request for those to come. The distance is that of a whole group.
// CHECK-LABEL: define {{.*}}scattered
// CHECK: {{^}}task.launch.launch
// CHECK-NOT: llvm.umin
// CHECK: call void @llvm.prefetch
// CHECK: br i1 {{.*}}, label %task.launch.launch, label %group.full
void scattered(long *counts, const long *keys, long n) {
  ASYNC_LOOP() // expected-remark {{requested ahead what the loop's iterations access (lockstep schedule): 0 suspension points, 1 request (1 early), 0 bytes of context a task,}}
    ++counts[keys[i]];
}

// A scheduler that is named gets something to schedule,
long alone(const long *table, const long *keys, long n) {
  long sum = 0;
  // expected-remark@+1 {{1 suspension point, 1 request,}}
  ASYNC_LOOP(scheduler(lockstep))
    sum += table[keys[i]];
  return sum;
}

// and a task that waits for its turn gets something to do before it.
long inOrder(const long *table, const long *keys, long *out, long n) {
  long last = 0;
  ASYNC_LOOP() { // expected-remark {{1 suspension point, 2 requests (1 early),}}
    last = last * 31 + table[table[keys[i]]];
    out[i] = last;
  }
  return last;
}
