// The FIFO schedule: an array for each field of the context, launches until all
// slots are full, a dispatch at the end of every suspension, and no suspension
// for a task that is alone.
//
// RUN: %clangxx -O2 -fno-discard-value-names -S -emit-llvm -o - %s | FileCheck %s

// CHECK-LABEL: define {{.*}}chain
// CHECK: %heddle.contexts = call {{.*}} ptr @heddle.contexts.begin(
// CHECK-COUNT-2: .contexts = getelementptr inbounds nuw i8, ptr %heddle.contexts, i64
// CHECK-NEXT: icmp eq ptr %heddle.contexts, null

// A resumed task goes on at once if it is the only one. Else it saves its
// context and where it waits, and goes to the next slot's task.
// CHECK: {{^}}task.resume.fifo:
// CHECK: call void @llvm.prefetch
// CHECK: [[ALONE:%.*]] = icmp eq i64 %fifo.live{{.*}}, 1
// CHECK-NEXT: br i1 [[ALONE]], label %task.resume[[#]].fifo, label %fifo.switch
// CHECK: {{^}}fifo.switch:
// CHECK: store {{ptr|i64}} %{{.*}}, ptr %
// CHECK: store i32 1, ptr %
// CHECK: br i1 %{{.*}}, label %fifo.resume{{[0-9]*}}, label %fifo.resume

// A task that has ended makes place for the next iteration, whose first
// stretch runs there and then.
// CHECK: {{^}}task.launch.launch:
// CHECK: call void @llvm.prefetch
long chain(const long *keys, const long *table, long n) {
  long sum = 0;
#pragma heddle async scheduler(fifo) tasks(100)
  for (long i = 0; i < n; ++i)
    sum += table[table[table[keys[i]]]];
  return sum;
}

struct Node {
  Node *next;
  long key, value;
};

// With a single suspension point, no slot stores which one a task waits at; and
// variables that the segment does not change are in its slot already.
// CHECK-LABEL: define {{.*}}lookUp
// CHECK-NOT: %fifo.waits
// CHECK: {{^}}task.resume.fifo:
// CHECK: call void @llvm.prefetch
// CHECK-NEXT: br i1 %{{.*}}, label %task.resume.fifo, label %[[NEXT_SLOT:[a-z.0-9]+]]
// CHECK: {{^}}[[NEXT_SLOT]]:
// CHECK-NOT: store i64
// CHECK: store ptr %
// CHECK-NOT: store
// CHECK: br label
long lookUp(Node *const *buckets, const long *keys, long n) {
  long sum = 0;
#pragma heddle async scheduler(fifo)
  for (long i = 0; i < n; ++i) {
    const long key = keys[i];
    for (const Node *node = buckets[key]; node; node = node->next)
      if (node->key == key)
        sum += node->value;
  }
  return sum;
}
