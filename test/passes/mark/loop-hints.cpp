// Other hints for a loop do not hide the directive.
//
// RUN: %clangxx -O2 -Rpass=heddle -Rpass-missed=heddle -Wno-pass-failed -Wno-pass-failed -Xclang -verify -c -o /dev/null %s

long unrolled(const long *keys, const long *table, long n) {
  long sum = 0;
#pragma heddle async
#pragma clang loop unroll_count(4)
  // expected-remark@+1 {{interleaved the loop's iterations}}
  for (long i = 0; i < n; ++i)
    sum += table[table[keys[i]]];
  return sum;
}

long vectorized(const long *keys, const long *table, long n) {
  long sum = 0;
#pragma heddle async
#pragma clang loop vectorize_width(8)
  // expected-remark@+1 {{interleaved the loop's iterations}}
  for (long i = 0; i < n; ++i)
    sum += table[table[keys[i]]];
  return sum;
}

long allHints(const long *keys, const long *table, long n) {
  long sum = 0;
#pragma heddle async
#pragma clang loop vectorize(enable) interleave_count(2) unroll(full)
  // expected-remark@+1 {{interleaved the loop's iterations}}
  for (long i = 0; i < n; ++i)
    sum += table[table[keys[i]]];
  return sum;
}
