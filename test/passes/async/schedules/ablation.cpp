// Requests and suspensions can be left out, one at a time. The rest runs in
// lockstep.
//
// RUN: %clangxx -O2 -fno-discard-value-names -S -emit-llvm -mllvm -heddle-suspensions=false -o - %s | FileCheck %s --check-prefixes=CHECK,REQUESTS
// RUN: %clangxx -O2 -fno-discard-value-names -S -emit-llvm -mllvm -heddle-requests=false -o - %s | FileCheck %s --check-prefixes=CHECK,SUSPENSIONS

struct Node {
  Node *next;
  long value;
};

// CHECK-LABEL: define {{.*}}sums
// CHECK-NOT: .fifo:
// REQUESTS-NOT: queue.0.task
// REQUESTS: call void @llvm.prefetch
// REQUESTS-NOT: queue.0.task
// SUSPENSIONS-NOT: call void @llvm.prefetch
// SUSPENSIONS: {{^}}queue.0.task:
// SUSPENSIONS-NOT: call void @llvm.prefetch
// CHECK-LABEL: define {{.*}}gather
// REQUESTS-NOT: queue.0.task
// REQUESTS: call void @llvm.prefetch
// SUSPENSIONS-NOT: call void @llvm.prefetch
// SUSPENSIONS: {{^}}queue.0.task:
void sums(Node *const *lists, long *sum, long n) {
#pragma heddle async
  for (long i = 0; i < n; ++i) {
    long all = 0;
    for (const Node *node = lists[i]; node; node = node->next)
      all += node->value;
    sum[i] = all;
  }
}

// In blocks, too.
void gather(const long *offsets, const int *indices, const long *values,
            long *sum, long n) {
#pragma heddle async scheduler(lockstep)
  for (long i = 0; i < n; ++i) {
    long all = 0;
    for (long j = offsets[i]; j < offsets[i + 1]; ++j)
      all += values[indices[j]];
    sum[i] = all;
  }
}
