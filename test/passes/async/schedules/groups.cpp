// Lockstep of tasks that all pass the same suspension points: groups without
// queues, with one copy of what all tasks agree on.
//
// RUN: %clangxx -O2 -fno-unroll-loops -fno-vectorize -fno-discard-value-names -S -emit-llvm -o - %s | FileCheck %s

#include "../../support/loop.h"

// A phase for every suspension point, and a loop over the tasks in each.
// CHECK-LABEL: define {{.*}}straight
// CHECK: call {{.*}} ptr @heddle.contexts.begin(i64 [[#mul(2,mul(48,8))]], i64 64)
// CHECK: {{^}}group.begin
// CHECK: call {{.*}}i64 @llvm.umin
// CHECK: {{^}}task.launch.launch
// CHECK-COUNT-2: call void @llvm.prefetch
// CHECK: {{^}}task.resume.phase
// CHECK: call void @llvm.prefetch
// CHECK: {{^}}task.resume{{[0-9]+}}.phase
// CHECK-NOT: {{queue|refill}}
// CHECK-LABEL: define {{.*}}search
long straight(const long *keys, const long *table, long n) {
  long sum = 0;
  ASYNC_LOOP(scheduler(lockstep) tasks(48))
    sum += table[table[table[keys[i]]]];
  return sum;
}

// 'remaining' takes no room in the context, and no task waits for the first
// probe: it is the same for all.
// CHECK: call {{.*}} ptr @heddle.contexts.begin(i64 [[#mul(2,mul(48,8))]], i64 64)
// CHECK: {{^}}task.launch.launch
// CHECK-NOT: prefetch
// CHECK: load i64, ptr
// CHECK: load i64, ptr
// CHECK: prefetch
// CHECK: {{^}}phase.task
// CHECK-LABEL: define {{.*}}treeSearch
long search(const long *keys, const long *table, long length, long n) {
  long sum = 0;
  ASYNC_LOOP(scheduler(lockstep) tasks(48)) {
    long position = 0;
    for (long remaining = length; remaining > 1;) {
      long half = remaining / 2;
      position += table[position + half] <= keys[i] ? half : 0;
      remaining -= half;
    }
    sum += position;
  }
  return sum;
}

struct Tree {
  long key;
  const Tree *children[2];
};

// A branch that tasks take or not between two suspension points does not keep
// them from going on together.
// CHECK: {{^}}phase.0
// CHECK-NOT: {{queue|refill}}
// CHECK-LABEL: define {{.*}}chains
long treeSearch(const Tree *root, const long *keys, long *found, int height,
                long n) {
  long sum = 0;
  ASYNC_LOOP(scheduler(lockstep) tasks(48)) {
    const Tree *node = root;
    for (int level = 0; level < height; ++level)
      node = node->children[node->key <= keys[i]];
    if (node->key == keys[i])
      found[i] = i;
  }
  return sum;
}

// Where the number of rounds depends on the data, tasks have queues; but no
// task waits for the root.
// CHECK: {{^}}lockstep.refill
// CHECK-NOT: prefetch
// CHECK: load ptr
// CHECK: prefetch
// CHECK-LABEL: define {{.*}}inOrder
long chains(const Tree *root, const long *keys, long n) {
  long sum = 0;
  ASYNC_LOOP(scheduler(lockstep) tasks(48)) {
    long steps = 0;
    for (const Tree *node = root; node;
         node = node->children[node->key <= keys[i]])
      steps += node->key & 3;
    sum += steps;
  }
  return sum;
}

// Tasks that wait for their turn have queues, too.
// CHECK: {{^}}lockstep.refill
// CHECK: attributes
long inOrder(const long *keys, const long *table, long n) {
  long hash = 0;
  ASYNC_LOOP(scheduler(lockstep) tasks(48))
    hash = hash * 31 + table[table[keys[i]]];
  return hash;
}
