// Behind a suspension a debugger sees the variables of the iteration that goes
// on: their values are in its context or recomputed, or not to be had.
//
// RUN: %clangxx -O2 -g -fno-discard-value-names -fverify-intermediate-code \
// RUN:   -S -emit-llvm -o - %s | FileCheck %s

struct Node {
  Node *next;
  long value;
};

void chains(Node *const *heads, const int *keys, long *sums, int n) {
#pragma heddle async scheduler(lockstep)
  for (int i = 0; i < n; ++i) {
    long sum = 0;
    for (Node *node = heads[keys[i]]; node; node = node->next)
      sum += node->value;
    sums[i] = sum;
  }
}

// CHECK-LABEL: define {{.*}}chains
// CHECK: {{^}}queue.0.task:
// CHECK-NOT: {{^[a-z]}}
// CHECK: #dbg_value(i64 %{{[0-9]+}}, ![[I:[0-9]+]], !DIExpression(),
// CHECK-NEXT: #dbg_value(i64 %{{[0-9]+}}, ![[SUM:[0-9]+]], !DIExpression(),
// CHECK: ![[I]] = !DILocalVariable(name: "i"
// CHECK: ![[SUM]] = !DILocalVariable(name: "sum"
