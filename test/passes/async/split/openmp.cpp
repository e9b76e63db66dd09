// Loops that OpenMP divides: what it keeps in memory, bounds and copies of
// variables, is in registers while the loop runs.
//
// RUN: %clangxx -O2 %fopenmp -fno-discard-value-names -Rpass=heddle -Rpass-missed=heddle -Xclang -verify -S -emit-llvm -o - %s | FileCheck %s

// CHECK-LABEL: define internal void @_Z3sumPKlS0_l.omp_outlined(
// CHECK: call void @__kmpc_for_static_init_8
// CHECK: {{^}}lockstep
// CHECK-NOT: %sum{{[0-9]*}},
// CHECK: {{^}}}
long sum(const long *keys, const long *table, long n) {
  long sum = 0;
  // expected-remark@+1 {{2 suspension points, 2 requests, 8 bytes of context}}
#pragma omp parallel for reduction(+ : sum)
#pragma heddle async
  for (long i = 0; i < n; ++i)
    sum += table[table[keys[i]]];
  return sum;
}

// An atomic update is not taken to change what the loop captures.
long claimed(const long *keys, const long *table, int *owner, long n) {
  long sum = 0;
  // expected-remark@+1 {{2 suspension points, 2 requests,}}
#pragma omp parallel for reduction(+ : sum) schedule(dynamic, 64)
#pragma heddle async
  for (long i = 0; i < n; ++i) {
    int expected = 0;
    if (__atomic_compare_exchange_n(&owner[table[keys[i]]], &expected, 1, false,
                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      ++sum;
  }
  return sum;
}
