// A loop that is left alone is as it would be without the directive: it may be
// vectorised and unrolled.
//
// RUN: %clangxx -O2 -S -emit-llvm -o - %s | FileCheck %s

// CHECK-NOT: @heddle
// CHECK-LABEL: define {{.*}}stream
// CHECK: load <2 x double>
// CHECK-NOT: {{heddle.async|disable_nonforced}}
void stream(double *__restrict a, const double *b, long n) {
#pragma heddle async
  for (long i = 0; i < n; ++i)
    a[i] = b[i] * 3;
}
