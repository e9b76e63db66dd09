// Reductions stay in registers: the loop has no memory for them, neither one
// for each task nor one for all, and their final value is returned.
//
// RUN: %clangxx -O2 -fno-discard-value-names -Rpass-analysis=heddle -Wno-pass-failed -Xclang -verify -S -emit-llvm -o - %s | FileCheck %s

// The array of addresses and the tuner's plan, and nothing else.
// CHECK-LABEL: define {{.*}}sums
// CHECK: %heddle.plan = alloca
// CHECK-NOT: = alloca
// CHECK: attributes
long sums(const long *keys, const long *table, long n) {
  long sum = 0, most = 0, all = -1;
  double floating = 0;
#pragma heddle async tasks(8)
  // expected-remark@+5 {{variable 'sum' is shared by all tasks (commutative updates)}}
  // expected-remark@+4 {{variable 'most' is shared by all tasks (commutative updates)}}
  // expected-remark@+3 {{variable 'all' is shared by all tasks (commutative updates)}}
  // expected-remark@+2 {{variable 'floating' is shared by all tasks (commutative updates)}}
  // expected-remark@+1 {{the floating-point reduction 'floating' may round differently from the serial order}}
  for (long i = 0; i < n; ++i) {
    long value = table[table[keys[i]]];
    sum += value;
    most = value > most ? value : most;
    all &= value;
    floating += double(value);
  }
  return sum + most + all + long(floating);
}
