// Scalars whose addresses OpenMP's run time has seen, but does not keep, get a
// copy for the time of the loop, which the optimiser can hold in a register.
//
// RUN: %clangxx -O1 %fopenmp -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes=heddle-async-mark -S %t.ll | FileCheck %s

// CHECK-LABEL: define internal void {{.*}}3sum{{.*}}.omp_outlined(
// CHECK-DAG: [[UPPER:%.omp.ub.loop]] = alloca i64
// CHECK-DAG: [[SUM:%sum[0-9]*.loop]] = alloca i64
// CHECK: call void @__kmpc_for_static_init
// Copied in.
// CHECK: store i64 %{{.*}}, ptr [[UPPER]]
// CHECK: store i64 %{{.*}}, ptr [[SUM]]
// Copied out, if the loop may have changed it.
// CHECK: omp.inner.for.cond.cleanup:
// CHECK-NOT: [[UPPER]]
// CHECK: [[FINAL:%.*]] = load i64, ptr [[SUM]]
// CHECK-NEXT: store i64 [[FINAL]], ptr %sum
// In the loop.
// CHECK: call void {{.*}}@__heddle_async
// CHECK: load i64, ptr [[SUM]]
// CHECK: store i64 %{{.*}}, ptr [[SUM]]
// CHECK: call void @__kmpc_for_static_fini
long sum(const long *keys, const long *table, long n) {
  long sum = 0;
#pragma omp parallel for reduction(+ : sum)
#pragma heddle async
  for (long i = 0; i < n; ++i)
    sum += table[table[keys[i]]];
  return sum;
}

// A scalar that other code may read meanwhile stays where it is.
// CHECK-LABEL: define {{.*}}escapes
// CHECK-NOT: .loop = alloca
// CHECK: ret i64
void keep(long *);
long escapes(const long *keys, const long *table, long n) {
  long sum = 0;
  keep(&sum);
#pragma heddle async
  for (long i = 0; i < n; ++i)
    sum += table[table[keys[i]]];
  return sum;
}
