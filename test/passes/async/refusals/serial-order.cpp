// OpenMP constructs and library calls that need one iteration after the other.
//
// RUN: %clangxx -O2 %fopenmp -Rpass=heddle -Rpass-missed=heddle -Wno-pass-failed -Xclang -verify -c -o /dev/null %s

#include <csetjmp>

void ordered(const long *keys, const long *table, long *out, long n) {
// expected-remark@+1 {{loop not interleaved: it contains an ordered region (line 13)}}
#pragma omp parallel for ordered
#pragma heddle async
  for (long i = 0; i < n; ++i) {
    long value = table[table[keys[i]]];
#pragma omp ordered
    *out = *out * 3 + value;
  }
}

void cancels(const long *keys, const long *table, long n) {
// expected-remark@+1 {{loop not interleaved: it contains an OpenMP cancellation point}}
#pragma omp parallel for
#pragma heddle async
  for (long i = 0; i < n; ++i) {
    if (table[table[keys[i]]] < 0) {
#pragma omp cancel for
    }
  }
}

jmp_buf environment;
void jumps(const long *keys, const long *table, long *out, long n) {
#pragma heddle async
  // expected-remark@+1 {{loop not interleaved: it contains a call of setjmp}}
  for (long i = 0; i < n; ++i)
    out[i] = setjmp(environment) ? 0 : table[table[keys[i]]];
}
