// Between an OpenMP directive and its loop, the marks end up in the function
// that holds the loop's body.
//
// RUN: %clangxx %fopenmp -std=c++20 -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clangxx %fopenmp -fopenmp-version=45 -DOPENMP45 -std=c++20 -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck --check-prefix=COLLAPSE %s
// Where OpenMP is switched off the directive stands at the loop itself.
// RUN: %clangxx -std=c++20 -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck --check-prefix=SERIAL %s

// SERIAL-COUNT-14: call {{.*}}@__heddle_mark(
// SERIAL-NOT: __heddle_mark(i32 noundef

// In OpenMP 4.5 a collapsed nest is strictly perfect.
// COLLAPSE-LABEL: define internal {{.*}}collapsed{{.*}}.omp_outlined(
// COLLAPSE: call {{.*}}@__heddle_mark(

// CHECK-LABEL: define internal {{.*}}collapsed{{.*}}.omp_outlined(
// CHECK: @__heddle_mark(i32 noundef [[COLLAPSED:[0-9]+]], i32 noundef 8, ptr noundef %{{.*}}, i32 noundef 4, i32 noundef %{{.*}})
// CHECK: !llvm.loop [[COLLAPSEDLOOP:![0-9]+]]
void collapsed(const int *index, long *a, long n) {
#pragma omp parallel for collapse(3)
#pragma heddle async remote(a) if (n > 4)
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j) {
      for (long k = 0; k < n; ++k) {
        ++a[index[i] + j];
      }
    }
}

#ifndef OPENMP45
// CHECK-LABEL: define internal {{.*}}reduction{{.*}}.omp_outlined(
// CHECK: store i64 -1, ptr [[OWNMASK:%[0-9]+]]
// CHECK: @__heddle_mark(i32 noundef [[REDUCTION:[0-9]+]], i32 noundef 8, ptr noundef %{{.*}}, i32 noundef 6, ptr noundef [[OWNMASK]])
// CHECK: !llvm.loop [[REDUCTIONLOOP:![0-9]+]]
long reduction(const int *index, const long *a, long n) {
  long mask = -1;
#pragma omp parallel for reduction(& : mask) schedule(dynamic, 64)
#pragma heddle async remote(a) shared(mask)
  for (long i = 0; i < n; ++i)
    mask &= a[index[i]];
  return mask;
}

// CHECK-LABEL: define internal {{.*}}insideParallel{{.*}}.omp_outlined(
// CHECK: @__heddle_mark(
void insideParallel(const int *index, long *a, long n) {
#pragma omp parallel
  {
#pragma omp for schedule(guided) nowait
#pragma heddle async remote(a)
    for (long i = 0; i < n; ++i)
      ++a[index[i]];
  }
}

struct Range {
  int *first, *last;
  int *begin() const { return first; }
  int *end() const { return last; }
};
// CHECK-LABEL: define internal {{.*}}rangeFor{{.*}}.omp_outlined(
// CHECK: @__heddle_mark(i32 noundef [[RANGEFOR:[0-9]+]], i32 noundef 8, ptr noundef %{{.*}})
// CHECK: !llvm.loop [[RANGEFORLOOP:![0-9]+]]
void rangeFor(Range index, long *a) {
#pragma omp parallel for
#pragma heddle async remote(a)
  for (int i : index)
    ++a[i];
}

// CHECK-LABEL: define {{.*}}simd
// CHECK: @__heddle_mark(
void simd(const int *index, long *a, long n) {
#pragma omp simd
#pragma heddle async remote(a)
  for (long i = 0; i < n; ++i)
    ++a[index[i]];
}

// CHECK-LABEL: define internal {{.*}}parallelForSimd{{.*}}.omp_outlined(
// CHECK: @__heddle_mark(
void parallelForSimd(const int *index, long *a, long n) {
#pragma omp parallel for simd
#pragma heddle async remote(a)
  for (long i = 0; i < n; ++i)
    ++a[index[i]];
}

// CHECK-LABEL: define {{.*}}@.omp_outlined.(
// CHECK: @__heddle_mark(
void tasks(const int *index, long *a, long n) {
#pragma omp taskloop
#pragma heddle async remote(a)
  for (long i = 0; i < n; ++i)
    ++a[index[i]];
}

// CHECK-LABEL: define internal {{.*}}scan{{.*}}.omp_outlined(
// CHECK: @__heddle_mark(
void scan(const int *index, long *a, long n) {
  long sum = 0;
#pragma omp parallel for reduction(inscan, + : sum)
#pragma heddle async remote(a)
  for (long i = 0; i < n; ++i) {
    sum += index[i];
#pragma omp scan inclusive(sum)
    a[i] = sum;
  }
}

// CHECK-LABEL: define internal {{.*}}ordered{{.*}}.omp_outlined(
// CHECK: @__heddle_mark(
void ordered(const int *index, long *a, long n) {
#pragma omp parallel for ordered
#pragma heddle async remote(a)
  for (long i = 0; i < n; ++i) {
#pragma omp ordered
    ++a[index[i]];
  }
}

// CHECK-LABEL: define internal {{.*}}nested{{.*}}.omp_outlined(
// CHECK: @__heddle_mark(i32 noundef [[OUTER:[0-9]+]], i32 noundef 8, ptr noundef %{{.*}})
// CHECK: @__heddle_mark(i32 noundef [[INNER:[0-9]+]], i32 noundef 8, ptr noundef %{{.*}})
// CHECK: !llvm.loop [[INNERLOOP:![0-9]+]]
// CHECK: !llvm.loop [[OUTERLOOP:![0-9]+]]
void nested(const int *index, long *a, long n) {
#pragma omp parallel for
#pragma heddle async remote(a)
  for (long i = 0; i < n; ++i) {
#pragma heddle async remote(index)
    for (long j = 0; j < n; ++j)
      ++a[index[j]];
  }
}

template <class T> void generic(const int *index, T *a, long n) {
#pragma omp parallel for collapse(2)
#pragma heddle async remote(a) tasks(sizeof(T))
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j)
      ++a[index[i] + j];
}
// CHECK-LABEL: define internal {{.*}}genericIi{{.*}}.omp_outlined(
// CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 8, ptr noundef %{{.*}}, i32 noundef 1, i32 noundef 4)
template void generic(const int *, int *, long);
// CHECK-LABEL: define internal {{.*}}genericIl{{.*}}.omp_outlined(
// CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 8, ptr noundef %{{.*}}, i32 noundef 1, i32 noundef 8)
template void generic(const int *, long *, long);

struct Table {
  long *slots;
  void bump(const int *index, long n);
};
// CHECK-LABEL: define internal {{.*}}bump{{.*}}.omp_outlined(
// CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 8, ptr noundef %{{.*}})
void Table::bump(const int *index, long n) {
#pragma omp parallel for
#pragma heddle async remote(slots)
  for (long i = 0; i < n; ++i)
    ++slots[index[i]];
}
#endif

// CHECK-DAG: [[COLLAPSEDLOOP]] = distinct !{[[COLLAPSEDLOOP]], {{.*}}[[COLLAPSEDHINT:![0-9]+]]}
// CHECK-DAG: [[COLLAPSEDHINT]] = !{!"llvm.loop.pipeline.initiationinterval", i32 [[COLLAPSED]]}
// CHECK-DAG: [[REDUCTIONLOOP]] = distinct !{[[REDUCTIONLOOP]], {{.*}}[[REDUCTIONHINT:![0-9]+]]}
// CHECK-DAG: [[REDUCTIONHINT]] = !{!"llvm.loop.pipeline.initiationinterval", i32 [[REDUCTION]]}
// CHECK-DAG: [[RANGEFORLOOP]] = distinct !{[[RANGEFORLOOP]], {{.*}}[[RANGEFORHINT:![0-9]+]]}
// CHECK-DAG: [[RANGEFORHINT]] = !{!"llvm.loop.pipeline.initiationinterval", i32 [[RANGEFOR]]}
// CHECK-DAG: [[INNERLOOP]] = distinct !{[[INNERLOOP]], {{.*}}[[INNERHINT:![0-9]+]]}
// CHECK-DAG: [[INNERHINT]] = !{!"llvm.loop.pipeline.initiationinterval", i32 [[INNER]]}
// CHECK-DAG: [[OUTERLOOP]] = distinct !{[[OUTERLOOP]], {{.*}}[[OUTERHINT:![0-9]+]]}
// CHECK-DAG: [[OUTERHINT]] = !{!"llvm.loop.pipeline.initiationinterval", i32 [[OUTER]]}
