// Variables of the body that are in memory exist once for every task, in a
// place that the task takes at its launch and gives back at the end.
//
// RUN: %clangxx -O2 -fno-discard-value-names -Rpass=heddle -Wno-pass-failed -Xclang -verify -S -emit-llvm -o - %s | FileCheck %s

#include "../../support/loop.h"

void use(long *) noexcept;

// CHECK-LABEL: define {{.*}}ofBody
// CHECK: call {{.*}} ptr @heddle.contexts.begin(i64 1296, i64 64)
// CHECK-NEXT: %values.tasks = getelementptr inbounds nuw i8, ptr %heddle.contexts, i64 64
// CHECK-NEXT: getelementptr inbounds nuw i8, ptr %heddle.contexts, i64 [[#add(64,mul(10,32))]]
long ofBody(const long *keys, const long *table, long n) {
  long sum = 0;
  // expected-remark@+1 {{interleaved the loop's iterations}}
  ASYNC_LOOP(tasks(10)) {
    long values[4];
    use(values);
    sum += table[table[keys[i]]] + values[i & 3];
  }
  return sum;
}

// Members at fixed places.
// CHECK-LABEL: define {{.*}}member
// CHECK: %values.tasks = getelementptr inbounds nuw i8, ptr %heddle.contexts, i64 64
// CHECK-NEXT: getelementptr inbounds nuw i8, ptr %heddle.contexts, i64 [[#add(64,mul(10,32))]]
long member(const long *keys, const long *table, long n) {
  long sum = 0;
  // expected-remark@+1 {{interleaved the loop's iterations}}
  ASYNC_LOOP(tasks(10)) {
    long values[4];
    use(values);
    sum += table[table[keys[i]]] + values[1] * values[2];
  }
  return sum;
}

// CHECK-LABEL: define {{.*}}aligned
// CHECK: call {{.*}} ptr @heddle.contexts.begin(i64 {{[0-9]+}}, i64 128)
// CHECK-NEXT: %values.tasks = getelementptr inbounds nuw i8, ptr %heddle.contexts, i64 128
// CHECK-NEXT: getelementptr inbounds nuw i8, ptr %heddle.contexts, i64 [[#add(128,mul(10,128))]]
long aligned(const long *keys, const long *table, long n) {
  long sum = 0;
  // expected-remark@+1 {{interleaved the loop's iterations}}
  ASYNC_LOOP(tasks(10)) {
    alignas(128) long values[2];
    use(values);
    sum += table[table[keys[i]]] + values[i & 1];
  }
  return sum;
}

// CHECK-LABEL: define {{.*}}byClause
// CHECK: %scratch.tasks = getelementptr inbounds nuw i8, ptr %heddle.contexts
long byClause(const long *keys, const long *table, long n) {
  long sum = 0, scratch;
  use(&scratch);
  // expected-remark@+1 {{interleaved the loop's iterations}}
  ASYNC_LOOP(private(scratch)) {
    use(&scratch);
    sum += table[table[keys[i]]] + scratch;
  }
  return sum;
}
