// A branch on a value that has just come from memory, with little behind it, is
// replaced by selects, and loads under it read a harmless place where it does
// not hold.
//
// RUN: %clangxx -O2 -fno-unroll-loops -fno-discard-value-names -S -emit-llvm -o - %s | FileCheck %s

#include "../../support/loop.h"

struct Node {
  Node *next;
  long key, value;
};

// CHECK-LABEL: define {{.*}}lookUp
// CHECK: %[[HARMLESS:heddle.harmless[^ ]*]] = alloca
// CHECK: store {{.*}} zeroinitializer, ptr %[[HARMLESS]]
// CHECK: {{^}}lockstep
// CHECK: select i1 [[IS_KEY:%.*]], ptr %{{.*}}, ptr %[[HARMLESS]]
// CHECK: select i1 [[IS_KEY]], i64
// CHECK-NOT: br i1 [[IS_KEY]]
// CHECK-LABEL: define {{.*}}manyInstructions
long lookUp(Node *const *buckets, const long *keys, long n) {
  long sum = 0;
  ASYNC_LOOP(scheduler(lockstep))
    for (Node *node = buckets[keys[i]]; node; node = node->next)
      if (node->key == keys[i])
        sum += node->value;
  return sum;
}

// Code that takes longer than a misprediction keeps its branch, as does code
// that must not run in vain.
// CHECK-NOT: heddle.harmless
// CHECK-LABEL: define {{.*}}storesUnderCondition
long manyInstructions(const long *keys, const long *table, long n) {
  long sum = 0;
  ASYNC_LOOP(scheduler(lockstep)) {
    long value = table[keys[i]];
    if (value & 1)
      sum += table[1] * table[2] * table[3] + table[4] * table[5] * table[n];
  }
  return sum;
}

// CHECK-NOT: heddle.harmless
// CHECK-LABEL: define {{.*}}chainEnds
void storesUnderCondition(const long *keys, const long *table, long *out,
                          long n) {
  ASYNC_LOOP(scheduler(lockstep))
    if (table[keys[i]] & 1)
      out[i] = table[keys[i] + 1];
}

// Whether the task is over is a branch on what has just come from memory, too:
// it is put into the queue in any case, and counts if it is not over.
// CHECK: {{^}}task.resume.lockstep:
// CHECK: [[GOES_ON:%.*]] = icmp ne ptr [[NEXT:%.*]], null
// CHECK: [[LINE:%.*]] = select i1 [[GOES_ON]], ptr {{.*}}, ptr %heddle.harmless
// CHECK: call void @llvm.prefetch{{.*}}(ptr {{.*}}[[LINE]]
// CHECK: store ptr [[NEXT]], ptr %
// CHECK: [[ONE:%.*]] = zext i1 [[GOES_ON]] to i64
// CHECK: add i64 %queue.length{{.*}}, [[ONE]]
// CHECK-NOT: br i1 [[GOES_ON]]
// CHECK: br i1 %{{.*}}, label %task.resume.lockstep, label %lockstep.refill
// CHECK-LABEL: define {{.*}}loadsAtTheEnd
long chainEnds(Node *const *buckets, const long *keys, long n) {
  long sum = 0;
  ASYNC_LOOP(scheduler(lockstep))
    for (Node *node = buckets[keys[i]]; node; node = node->next)
      sum += node->key;
  return sum;
}

struct Arc {
  Arc *next;
  Node *head;
};

// Where the request takes a load, later tasks need not wait for it.
// CHECK: {{^}}task.resume.lockstep:
// CHECK: [[IS_OVER:%.*]] = icmp eq ptr %{{.*}}, null
// CHECK: br i1 [[IS_OVER]], label
// CHECK: attributes
long loadsAtTheEnd(Arc *const *lists, const long *keys, long n) {
  long sum = 0;
  ASYNC_LOOP(scheduler(lockstep))
    for (Arc *arc = lists[keys[i]]; arc; arc = arc->next)
      sum += arc->head->value;
  return sum;
}
