// The lockstep schedule: a queue for every suspension point, each field of the
// context in an array of its own, refilled from the next iterations.
//
// RUN: %clangxx -O2 -fno-discard-value-names -S -emit-llvm -o - %s | FileCheck %s

struct Node {
  Node *next;
  long value;
};

// CHECK-LABEL: define {{.*}}chains
// Two queues: the second starts in a cache line of its own.
// CHECK: call {{.*}} ptr @heddle.contexts.begin(i64 [[#add(832,mul(101,8))]], i64 64)
// CHECK-NEXT: .queue{{[0-9]*}} = getelementptr inbounds nuw i8, ptr %heddle.contexts, i64 832
// CHECK: {{^}}lockstep.refill
// CHECK-DAG: call void @llvm.prefetch
// CHECK-DAG: call void @llvm.prefetch
// CHECK-NOT: indirectbr
// CHECK-NOT: call void %
long chains(Node *const *lists, const long *table, const long *keys, long n) {
  long sum = 0;
#pragma heddle async scheduler(lockstep) tasks(100)
  for (long i = 0; i < n; ++i)
    for (Node *node = lists[keys[i]]; node; node = node->next)
      sum += table[node->value];
  return sum;
}
