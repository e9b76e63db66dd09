// A schedule that the user names is used even where the processor waits for
// nothing.
//
// RUN: %clangxx -O2 -Rpass=heddle -Rpass-missed=heddle -Wno-pass-failed -Xclang -verify -S -emit-llvm -o - %s | FileCheck %s

#include "../../support/loop.h"

// CHECK-LABEL: define {{.*}}scatter
// CHECK: call void @llvm.prefetch{{.*}}, i32 1, i32
void scatter(long *a, const long *b, long n) {
  // expected-remark@+1 {{interleaved the loop's iterations (lockstep schedule): 1 suspension point, 1 request}}
  ASYNC_LOOP(scheduler(lockstep))
    a[b[i]] = i;
}

// CHECK-LABEL: define {{.*}}scatterFifo
// CHECK: call void @llvm.prefetch{{.*}}, i32 1, i32
void scatterFifo(long *a, const long *b, long n) {
  // expected-remark@+1 {{interleaved the loop's iterations (FIFO schedule): 1 suspension point, 1 request}}
  ASYNC_LOOP(scheduler(fifo))
    a[b[i]] = i;
}

// CHECK-LABEL: define {{.*}}chosen
// CHECK-NOT: prefetch
// CHECK: {{^}}}
void chosen(long *a, const long *b, long n) {
  // expected-remark@+1 {{loop not interleaved}}
  ASYNC_LOOP()
    a[b[i]] = i;
}
