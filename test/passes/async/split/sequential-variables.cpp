// Variables whose updates must keep their order: those that are advanced when
// an iteration begins cost nothing; others have tasks wait for their turn.
//
// RUN: %clangxx -O2 -fno-discard-value-names -Rpass=heddle -Rpass-analysis=heddle -Wno-pass-failed -Xclang -verify -S -emit-llvm -o - %s | FileCheck %s

#include "../../support/loop.h"

// CHECK-LABEL: define {{.*}}atLaunch
// CHECK-NOT: {{^}}turn.
// CHECK-LABEL: define {{.*}}inOrder
long atLaunch(const long *table, long n) {
  unsigned long random = 1;
  long sum = 0;
  // expected-remark@+3 {{interleaved the loop's iterations}}
  // expected-remark@+2 {{variable 'random' is sequential (updated in iteration order, at launch)}}
  // expected-remark@+1 {{variable 'sum' is shared by all tasks}}
  ASYNC_LOOP() {
    random = random * 6364136223846793005u + 1;
    sum += table[table[random >> 40]];
  }
  return sum;
}

// Twice as many places as tasks, so that those ahead of the oldest have room.
// CHECK: %heddle.waiting{{[0-9]*}} = getelementptr inbounds nuw i8, ptr %heddle.contexts
// CHECK: {{^}}turn.run:
// CHECK-NOT: call void @llvm.prefetch
// CHECK: mul {{.*}}, 31
// CHECK-LABEL: define {{.*}}byClause
long inOrder(const long *keys, const long *table, long n) {
  long hash = 0;
  // expected-remark@+2 {{interleaved the loop's iterations}}
  // expected-remark@+1 {{variable 'hash' is sequential (updated in iteration order, at retirement)}}
  ASYNC_LOOP(tasks(16))
    hash = (hash ^ table[table[keys[i]]]) * 31;
  return hash;
}

// CHECK: %heddle.waiting{{[0-9]*}} = getelementptr inbounds nuw i8, ptr %heddle.contexts
void note(long *position, long value) noexcept;
long byClause(const long *keys, const long *table, long n) {
  long position = 0;
  // expected-remark@+1 {{interleaved the loop's iterations}}
  ASYNC_LOOP(sequential(position))
    // expected-remark@+1 {{what the call of 'note(long*, long)' waits for is not hidden}}
    note(&position, table[table[keys[i]]]);
  return position;
}

// The latency of accesses behind the turn point cannot be hidden.
long behindTurn(const long *keys, const long *table, long n) {
  long hash = 0;
  // expected-remark@+2 {{interleaved the loop's iterations}}
  // expected-remark@+1 {{variable 'hash' is sequential (updated in iteration order, at retirement)}}
  ASYNC_LOOP() {
    long value = table[table[keys[i]]];
    // expected-remark@+1 {{the latency of this access is not hidden: it comes after the first use of a variable that is updated in iteration order}}
    hash = table[(hash ^ value) & 0xffff];
  }
  return hash;
}
