// A branch on a value that has just come from memory, with little behind it, is
// replaced by selects, and loads under it read a harmless place where it does
// not hold.
//
// RUN: %clangxx -O2 -fno-discard-value-names -S -emit-llvm -o - %s | FileCheck %s

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
#pragma heddle async scheduler(lockstep)
  for (long i = 0; i < n; ++i)
    for (Node *node = buckets[keys[i]]; node; node = node->next)
      if (node->key == keys[i])
        sum += node->value;
  return sum;
}

// What takes longer than a misprediction keeps its branch, as does what must
// not be done in vain.
// CHECK-NOT: heddle.harmless
// CHECK-LABEL: define {{.*}}storesUnderCondition
long manyInstructions(const long *keys, const long *table, long n) {
  long sum = 0;
#pragma heddle async scheduler(lockstep)
  for (long i = 0; i < n; ++i) {
    long value = table[keys[i]];
    if (value & 1)
      sum += table[1] * table[2] * table[3] + table[4] * table[5] * table[n];
  }
  return sum;
}

// CHECK-NOT: heddle.harmless
// CHECK: attributes
void storesUnderCondition(const long *keys, const long *table, long *out,
                          long n) {
#pragma heddle async scheduler(lockstep)
  for (long i = 0; i < n; ++i)
    if (table[keys[i]] & 1)
      out[i] = table[keys[i] + 1];
}
