// Loops that OpenMP divides: what it keeps in memory, bounds and copies of
// variables, is in registers while the loop runs.
//
// RUN: %clangxx -O2 %fopenmp -fno-discard-value-names -Rpass=heddle -Rpass-missed=heddle -Wno-pass-failed -Xclang -verify -S -emit-llvm -o - %s | FileCheck %s

// CHECK-LABEL: define internal void @_Z3sumPKlS0_l.omp_outlined(
// CHECK: call void @__kmpc_for_static_init_8
// CHECK: {{^}}group
// CHECK-NOT: %sum{{[0-9]*}},
// CHECK: {{^}}}
long sum(const long *keys, const long *table, long n) {
  long sum = 0;
  // expected-remark@+1 {{1 suspension point, 2 requests (1 early), 8 bytes of context}}
#pragma omp parallel for reduction(+ : sum)
#pragma heddle async
  for (long i = 0; i < n; ++i)
    sum += table[table[keys[i]]];
  return sum;
}

// An atomic update is not taken to change what the loop captures.
long claimed(const long *keys, const long *table, int *owner, long n) {
  long sum = 0;
  // expected-remark@+1 {{1 suspension point, 2 requests (1 early),}}
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

// Neither is one that acquires what other threads publish, as far as no thread
// can assign the variable: 'table' is not read again in the loop, 'shift' is.
// CHECK-LABEL: define internal void @_Z7visitedPKlPiil.omp_outlined(
// CHECK: load ptr, ptr %table
// CHECK-NOT: load ptr, ptr %table
// CHECK: cmpxchg
// CHECK-NEXT: extractvalue
// CHECK-NEXT: load i32, ptr %shift
// CHECK-NOT: load ptr, ptr %table
// CHECK: {{^}}}
long visited(const long *keys, int *owner, int shift, long n) {
  const long *table = keys + n;
  long sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    if (owner[0])
      ++shift;
    // expected-remark@+1 {{1 suspension point, 2 requests (1 early),}}
#pragma omp for
#pragma heddle async
    for (long i = 0; i < n; ++i)
      if (__sync_bool_compare_and_swap(&owner[table[keys[i]]], 0, 1))
        sum += shift;
  }
  return sum;
}

// The stores of a thread whose code is not here are not known.
// CHECK-LABEL: define internal void @_Z7startedPKlS0_Pil.omp_outlined(
// CHECK: cmpxchg
// CHECK-NEXT: extractvalue
// CHECK-NEXT: load i32, ptr %value
// CHECK: {{^}}}
void worker(void *);
__attribute__((callback(1, 2))) void start(void (*)(void *), void *);
long started(const long *keys, const long *table, int *owner, long n) {
  int value = owner[0];
  start(worker, &value);
  long sum = 0;
  // expected-remark@+1 {{1 suspension point, 2 requests (1 early),}}
#pragma omp parallel for reduction(+ : sum)
#pragma heddle async
  for (long i = 0; i < n; ++i)
    if (__sync_bool_compare_and_swap(&owner[table[keys[i]]], 0, 1))
      sum += value;
  return sum;
}
