// The if clause is evaluated in front of the loop, and if it does not hold the
// serial version runs, whatever schedule is asked for.
//
// RUN: %clangxx -O2 -fno-discard-value-names -S -emit-llvm -o - %s | FileCheck %s

// CHECK-LABEL: define {{.*}}condition
// CHECK: entry:
// CHECK: [[WANTED:%.*]] = icmp sgt i64 %size, 1000
// CHECK: {{^}}heddle.chunk:
// CHECK: br i1 [[WANTED]], label
long condition(const long *keys, const long *table, long n, long size) {
  long sum = 0;
#pragma heddle async scheduler(lockstep) if (size > 1000)
  for (long i = 0; i < n; ++i)
    sum += table[table[keys[i]]];
  return sum;
}
