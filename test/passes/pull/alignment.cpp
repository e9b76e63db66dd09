// The loop over a row's edges begins with a line of the instruction cache, in
// whole rows and in cut ones, unless the program aligns it itself. Where
// nothing is unrolled, short rows have no loop of their own.
//
// RUN: %clangxx -O2 -fno-unroll-loops %fopenmp -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clangxx -O2 %fopenmp -S %s -o - | FileCheck %s --check-prefix=UNROLLED

#define ROWS(name, start, combine, alignment)                                  \
  void name(long n, const long *ends, const int *sources, const float *x,      \
            float *y) {                                                        \
    _Pragma("omp parallel for")                                                \
        _Pragma("heddle pull") for (long v = 0; v < n; ++v) {                  \
      float all = start;                                                       \
      alignment for (long e = ends[v]; e < ends[v + 1]; ++e)                   \
          all combine x[sources[e]];                                           \
      y[v] = all;                                                              \
    }                                                                          \
  }
ROWS(sums, 0, +=, )
ROWS(products, 1, *=, [[clang::code_align(16)]])

// CHECK: define {{.*}} @_Z4sums{{.*}}omp_outlined
// CHECK: fadd float
// CHECK: br {{.*}} !llvm.loop [[SUMS:![0-9]+]]
// CHECK: fadd float
// CHECK: br {{.*}} !llvm.loop [[SUMS]]
// CHECK-NOT: fadd float
// CHECK: define {{.*}} @_Z8products{{.*}}omp_outlined
// CHECK: fmul float

// CHECK: [[SUMS]] = distinct !{[[SUMS]], {{.*}}[[LINE:![0-9]+]], [[REST:![0-9]+]]}
// CHECK: [[ROLLED:![0-9]+]] = !{!"llvm.loop.unroll.disable"}
// CHECK: [[LINE]] = !{!"llvm.loop.align", i32 64}
// CHECK: [[REST]] = !{!"llvm.loop.unroll.followup_remainder", [[LINE]], [[ROLLED]]}
// CHECK-NOT: i32 64}
// CHECK: {!"llvm.loop.align", i32 16}

// The remainder loop of an unrolled loop is aligned as well.
// UNROLLED-LABEL: _Z4sums{{.*}}.omp_outlined:
// UNROLLED-COUNT-5: .p2align 6
// UNROLLED-LABEL: _Z8products{{.*}}.omp_outlined:
