// Reports at run time know a loop's line, also without debug information, which
// a program does not get unasked.
//
// RUN: %clang -O1 -S -emit-llvm -o - %s | FileCheck %s
// CHECK: @heddle.site{{.*}} i32 [[@LINE+10]],
//
// RUN: %clang -O1 -c %s -o %t.o
// RUN: llvm-readelf -S %t.o | FileCheck --check-prefix=SECTIONS %s
// SECTIONS-NOT: .debug_

long gather(const long *a, const int *indices, long n);
long gather(const long *a, const int *indices, long n) {
  long sum = 0;
#pragma heddle async scheduler(lockstep)
  for (long i = 0; i < n; ++i)
    sum += a[indices[i]];
  return sum;
}
