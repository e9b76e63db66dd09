// Without optimisation loops are left as they are.
//
// RUN: %clangxx -O0 -Rpass=heddle -Rpass-missed=heddle -Xclang -verify=expected-off -c -o /dev/null %s
// RUN: %clangxx -O1 -Rpass=heddle -Rpass-missed=heddle -Wno-pass-failed -Xclang -verify=expected-on -c -o /dev/null %s

// clang-format off: the loops stand on one line
long sum(const long *keys, const long *table, long n) {
  long sum = 0;
#pragma heddle async
  // expected-off-remark@+2 {{loop not interleaved: optimization is off}}
  // expected-on-remark@+1 {{interleaved the loop's iterations}}
  for (long i = 0; i < n; ++i) sum += table[table[keys[i]]];
  return sum;
}

__attribute__((optnone, noinline))
long unoptimized(const long *keys, const long *table, long n) {
  long sum = 0;
#pragma heddle async
  // expected-off-remark@+2 {{loop not interleaved: optimization is off}}
  // expected-on-remark@+1 {{loop not interleaved: optimization is off}}
  for (long i = 0; i < n; ++i) sum += table[table[keys[i]]];
  return sum;
}
