// What an update waits for is requested by a rehearsal in front of it: the
// walk, and again from its start.
//
// RUN: %clangxx -O2 -S -emit-llvm -fno-discard-value-names -DCLAUSES= %s -o - \
// RUN:     -Rpass=heddle -Rpass-missed=heddle -Rpass-analysis=heddle \
// RUN:     2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK <%t.remarks
// RUN: %clangxx -O2 -S %s -o %t.s -mllvm -heddle-rehearsals=false \
// RUN:     -DCLAUSES= -Rpass=heddle -Rpass-missed=heddle 2>&1 \
// RUN:     | FileCheck %s --check-prefix=WITHOUT

struct Node {
  Node *next;
  long key, value;
};

// CHECK-LABEL: define {{.*}}chained
// CHECK: %rounds{{.*}} = phi i32
// CHECK: call void @llvm.prefetch
// REMARK: :[[@LINE+4]]:{{.*}} interleaved {{.*}} 1 suspension point, 3 requests
// WITHOUT: :[[@LINE+3]]:{{.*}} loop not interleaved
void chained(Node **heads, const long *keys, Node *fresh, long n, long mask) {
#pragma heddle async CLAUSES
  for (long i = 0; i < n; ++i) {
    Node *&head = heads[keys[i] * 0x9E3779B9 >> 7 & mask];
    Node *node = head;
    while (node && node->key != keys[i])
      node = node->next;
    if (!node) {
      node = &fresh[i];
      node->key = keys[i];
      node->next = head;
      head = node;
    }
    node->value += i;
  }
}

// A read that follows from what an earlier iteration has put on a stack is not
// made before it is the task's turn.
// REMARK: :[[@LINE+5]]:{{.*}} remark: loop not interleaved: everything after
// REMARK-NOT: remark: interleaved
// WITHOUT: :[[@LINE+3]]:{{.*}} loop not interleaved
long popped(Node **top, const long *keys, Node *const *nodes, long n) {
#pragma heddle async CLAUSES
  for (long i = 0; i < n; ++i)
    if (keys[i] % 2)
      *top++ = nodes[i];
    else
      (*--top)->value += i;
  return top[-1]->value;
}
