// An iteration that has been suspended as often as it may be goes on without.
//
// RUN: %clangxx -O2 -fno-discard-value-names -S -emit-llvm -o - %s | FileCheck %s

struct Node {
  Node *next;
  long value;
};

// The number of suspensions left is part of the context. At zero, the task
// neither requests nor waits.
// CHECK-LABEL: define {{.*}}sums
// CHECK: %left.var.contexts = getelementptr inbounds nuw i8, ptr %heddle.contexts
// CHECK: {{^}}task.resume.fifo:
// CHECK: [[LEFT:%.*]] = phi i32
// CHECK: [[SPENT:%.*]] = icmp eq i32 [[LEFT]], 0
// CHECK: {{^}}task.go.fifo:
// CHECK-NOT: call void @llvm.prefetch
// CHECK: br i1 [[SPENT]], label %task.go.fifo, label %task.suspend.fifo
// CHECK: {{^}}task.suspend.fifo:
// CHECK-NEXT: add i32 [[LEFT]], -1
// CHECK-NEXT: call void @llvm.prefetch
// CHECK: {{^}}task.suspend.launch:
// CHECK: store i32 2, ptr %
void sums(Node *const *lists, long *sum, long n) {
#pragma heddle async scheduler(fifo) suspensions(3)
  for (long i = 0; i < n; ++i) {
    long all = 0;
    for (const Node *node = lists[i]; node; node = node->next)
      all += node->value;
    sum[i] = all;
  }
}

// Where the only suspension is behind it, a task need not count.
// CHECK-LABEL: define {{.*}}firstOnly
// CHECK-NOT: %left
// CHECK: {{^}}queue.0.task:
// CHECK-NOT: call void @llvm.prefetch
// CHECK: {{^}}task.suspend.launch:
// CHECK: call void @llvm.prefetch
// CHECK-NOT: call void @llvm.prefetch
// CHECK: {{^}}}
void firstOnly(Node *const *lists, long *sum, long n) {
#pragma heddle async scheduler(lockstep) suspensions(1)
  for (long i = 0; i < n; ++i) {
    long all = 0;
    for (const Node *node = lists[i]; node; node = node->next)
      all += node->value;
    sum[i] = all;
  }
}
