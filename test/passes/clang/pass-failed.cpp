// A directive that has no effect is a warning, one for each loop, as for Clang's
// own loop hints.
//
// RUN: %clangxx -O2 -Xclang -verify -c -o /dev/null %s
// RUN: not %clangxx -O2 -Werror -c -o /dev/null %s 2>&1 | FileCheck %s
// CHECK-COUNT-7: error: loop not interleaved: {{.*}} [-Werror,-Wpass-failed=heddle]
// CHECK-NOT: error: loop
//
// Not where nothing is transformed, and not where it is switched off.
// RUN: %clangxx -O0 -Werror -c -o /dev/null %s
// RUN: %clangxx -O2 -Werror -Wno-pass-failed -c -o /dev/null %s
// RUN: %clangxx -O2 -Werror -mllvm -heddle-check -c -o /dev/null %s

#include "Inputs/pass-failed.h"

int opaque(int, ...) noexcept;

long allocates(const long *a, const int *b, long n) {
  long sum = 0;
#pragma heddle async // expected-warning@+1 {{it allocates stack memory dynamically}}
  for (long i = 0; i < n; i++)
    sum += use(__builtin_alloca(a[b[i]]));
  return sum;
}

long scheduled(const long *a, long n) {
  long sum = 0;
#pragma heddle async scheduler(fifo) // expected-warning@+1 {{its addresses are predictable}}
  for (long i = 0; i < n; i++)
    sum += a[i];
  return sum;
}

long withTasks(const long *a, long n) {
  long sum = 0;
#pragma heddle async tasks(64) // expected-warning@+1 {{its addresses are predictable}}
  for (long i = 0; i < n; i++)
    sum += a[i];
  return sum;
}

void calls(int *a, long n) {
#pragma heddle async // expected-warning@+1 {{what the call of 'opaque(int, ...)' accesses is not seen}}
  for (long i = 0; i < n; i++)
    a[i] = opaque(i);
}

void neverRepeats(long *a, const int *b, long n) {
#pragma heddle async // expected-warning@+1 {{its body never runs twice}}
  for (long i = 0; i < n; i++) {
    a[b[i]]++;
    break;
  }
}

// One warning for all instances, which names the first.
template <class T> T sum(const T *a, long n) {
  T sum = 0;
#pragma heddle async // expected-warning@+1 {{its addresses are predictable and the hardware prefetches them (in 'int sum<int>(int const*, long)')}}
  for (long i = 0; i < n; i++)
    sum += a[i];
  return sum;
}
template int sum(const int *, long);
template long sum(const long *, long);

// No warning if one instance is interleaved.
template <bool Chase> void walk(Node *const *heads, long *sums, long n) {
#pragma heddle async
  for (long i = 0; i < n; i++) {
    long sum = 0;
    if constexpr (Chase)
      for (const Node *p = heads[i]; p; p = p->next)
        sum += p->value;
    sums[i] = sum;
  }
}
template void walk<false>(Node *const *, long *, long);
template void walk<true>(Node *const *, long *, long);

// Nothing is left to interleave.
void once(const long *a, const int *b, long *c) {
#pragma heddle async
  for (long i = 0; i < 1; i++)
    c[i] = a[b[i]];
}

// What surrounds a loop may silence it.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpass-failed"
long silenced(const long *a, long n) {
  long sum = 0;
#pragma heddle async
  for (long i = 0; i < n; i++)
    sum += a[i];
  return sum;
}
#pragma clang diagnostic pop

long useHeader(const long *a, const int *b, long n) {
  return sumInHeader(a, n) + allocateInHeader(a, b, n);
}

// Copies of one loop make one warning.
long bothInlined(const long *a, const long *b, long n) {
  return scheduled(a, n) + scheduled(b, n) + withTasks(b, n);
}
