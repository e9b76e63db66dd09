// Behind a suspension a debugger sees the variables of the iteration that goes
// on, in its context, and the sum of all of them so far.
//
// RUN: %clangxx -O2 -g -fno-unroll-loops -fno-discard-value-names -fverify-intermediate-code \
// RUN:   -S -emit-llvm -o %t.ll %s && FileCheck %s --input-file=%t.ll
// RUN: kept=$(sed -n 's/ = !DILocalVariable(name: "kept".*//p' %t.ll | paste -sd'|') && \
// RUN:   grep -Eq "#dbg_value\(.*poison, ($kept)," %t.ll && \
// RUN:   not grep -E "#dbg_value\(i64 (1|.*shared.*|.*turn.*), ($kept)," %t.ll

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
// CHECK: #dbg_value(ptr %{{[0-9]+}}, ![[I:[0-9]+]], !DIExpression(DW_OP_deref),
// CHECK-NEXT: #dbg_value(ptr %{{[0-9]+}}, ![[SUM:[0-9]+]], !DIExpression(DW_OP_deref),

long total(const long *table, const int *keys, int n) {
  long all = 0;
#pragma heddle async scheduler(fifo)
  for (long i = 0; i < n; ++i)
    all += table[table[keys[i]]];
  return all;
}

// The serial version counts with the variable of the source.
//
// CHECK-LABEL: define {{.*}}total
// CHECK-NOT: %heddle.iteration =
// CHECK: {{^}}task.resume.fifo:
// CHECK: #dbg_value(i64 %{{.*}}, ![[ALL:[0-9]+]], !DIExpression(),
// CHECK: %[[NEXT:.*]] = add i64
// CHECK-NEXT: #dbg_value(i64 %[[NEXT]], ![[ALL]], !DIExpression(),

// What has one value until the loop is left has it in each task, too.
int firstWith(Node *const *heads, const int *keys, long wanted, int n) {
  int found = -1;
#pragma heddle async scheduler(fifo)
  for (int i = 0; i < n; ++i) {
    const Node *node = heads[keys[i]];
    const long value = node->next->value;
    if (value == wanted) {
      found = i;
      break;
    }
  }
  return found;
}

// CHECK-LABEL: define {{.*}}firstWith
// CHECK: #dbg_value(i32 -1, ![[FOUND:[0-9]+]],
// CHECK: {{^}}turn.run:
// CHECK: #dbg_value(i32 -1, ![[FOUND]],
// CHECK: {{^}}task.resume.fifo:
// CHECK: #dbg_value(i32 -1, ![[FOUND]],
// CHECK: {{^}}task.launch.launch:
// CHECK: #dbg_value(i32 -1, ![[FOUND]],

// An iteration counts from zero, so `i` is the number in its context. `sum` is
// what the iterations before have left, up to the iteration's turn.
long inOrder(Node *const *heads, const int *keys, int n) {
  long sum = 0;
#pragma heddle async scheduler(lockstep)
  for (int i = 0; i < n; ++i) {
    for (Node *node = heads[keys[i]]; node; node = node->next)
      sum += node->value;
    sum ^= i;
  }
  return sum;
}

// CHECK-LABEL: define {{.*}}inOrder
// CHECK: {{^(task.resume.lockstep|queue.0.task):}}
// CHECK: #dbg_value(ptr %{{[0-9]+}}, ![[NUMBER:[0-9]+]], !DIExpression(DW_OP_deref),
// CHECK: {{^}}turn.run:
// CHECK: #dbg_value(i64 %sum.{{.*}}shared{{.*}}, ![[ORDERED:[0-9]+]], !DIExpression(),
// CHECK-NOT: poison, ![[ORDERED]]
// CHECK: #dbg_value(ptr %{{[0-9]+}}, ![[IN_TURN:[0-9]+]], !DIExpression(DW_OP_deref),
// CHECK-NOT: poison, ![[ORDERED]]
// CHECK: #dbg_value(i64 %{{.*}}, ![[ORDERED]],
// CHECK-LABEL: attributes

// What the body declares does not get the value that the variable has later.
long before(long *table, const int *keys, int n) {
  long last = 1;
#pragma heddle async scheduler(lockstep)
  for (int i = 0; i < n; ++i) {
    const long value = table[table[keys[i]]], kept = last;
    last = last * 31 ^ value;
    table[n + i] = kept + last;
  }
  return last;
}

// CHECK-DAG: ![[NUMBER]] = !DILocalVariable(name: "i"
// CHECK-DAG: ![[IN_TURN]] = !DILocalVariable(name: "i"
// CHECK-DAG: ![[ORDERED]] = !DILocalVariable(name: "sum"
// CHECK-DAG: ![[I]] = !DILocalVariable(name: "i"
// CHECK-DAG: ![[SUM]] = !DILocalVariable(name: "sum"
// CHECK-DAG: ![[ALL]] = !DILocalVariable(name: "all"
// CHECK-DAG: ![[FOUND]] = !DILocalVariable(name: "found"
