// The loop is taken from OpenMP's schedule, whichever it is; other loops are
// not.
//
// RUN: %clangxx -O2 %fopenmp -S -emit-llvm -fno-discard-value-names -o - %s | FileCheck %s

#define ROWS(pragma)                                                           \
  _Pragma(pragma) _Pragma("heddle pull") for (int v = 0; v < n; ++v) {         \
    int sum = 0;                                                               \
    for (long e = ends[v]; e < ends[v + 1]; ++e)                               \
      sum += x[e];                                                             \
    y[v] = sum;                                                                \
  }

// CHECK-LABEL: define internal void @once.omp_outlined(
// CHECK-NOT: call void @__kmpc_for_static
// CHECK: call void @heddle_pull_begin(
// CHECK-NOT: call void @__kmpc_for_static
// CHECK-LABEL: define
extern "C" void once(int n, const long *ends, const int *x, int *y) {
  ROWS("omp parallel for schedule(static)")
}

// Chunks are as large as so many rows. The step behind the last row may lead
// past the greatest number of its type.
// CHECK-LABEL: define internal void @chunked.omp_outlined(
// CHECK-NOT: call void @__kmpc_for_static
// CHECK: store i64 16, ptr
// CHECK: call void @heddle_pull_begin(
// CHECK: add i32 {{.*}}%cond
// CHECK-NOT: call void @__kmpc_for_static
// CHECK-LABEL: define
extern "C" void chunked(int n, const long *ends, const int *x, int *y) {
  ROWS("omp parallel for schedule(static, 16)")
}

// CHECK-LABEL: define internal void @dynamic.omp_outlined(
// CHECK-NOT: call {{.*}} @__kmpc_dispatch
// CHECK: store i64 32, ptr
// CHECK: call void @heddle_pull_begin(
// CHECK-NOT: call {{.*}} @__kmpc_dispatch
// CHECK-LABEL: define
extern "C" void dynamic(int n, const long *ends, const int *x, int *y) {
  ROWS("omp parallel for schedule(dynamic, 32)")
}

// CHECK-LABEL: define internal void @other.omp_outlined(
// CHECK-NOT: heddle_pull
// CHECK: call void @__kmpc_for_static_init
// CHECK: call void @__kmpc_for_static_fini
// CHECK-LABEL: define
extern "C" void other(int n, const long *ends, const int *x, int *y) {
#pragma omp parallel for
  for (int v = 0; v < n; ++v) {
    int sum = 0;
    for (long e = ends[v]; e < ends[v + 1]; ++e)
      sum += x[e];
    y[v] = sum;
  }
}

extern "C" void last() {}
