// Variables around the loop that an iteration uses as scratch space are one
// variable for all iterations, unless a clause says how to treat them.
//
// RUN: %clangxx -O2 -g -Rpass=heddle -Rpass-missed=heddle -Wno-pass-failed -Xclang -verify -c -o /dev/null %s

long look(long *) noexcept;

long scratch(const long *keys, const long *table, long n) {
  long sum = 0;
  long scratch = 0;
  look(&scratch);
#pragma heddle async
  // Nothing may be suspended where 'scratch' is in use.
  // expected-remark@+1 {{loop not interleaved: what the call of 'look(long*)' accesses is not seen, and the other long-latency accesses do not depend on each other}}
  for (long i = 0; i < n; ++i) {
    scratch = table[keys[i]];
    sum += table[table[scratch]];
    look(&scratch);
    sum += scratch;
  }
  return sum;
}

long said(const long *keys, const long *table, long n) {
  long sum = 0;
  long scratch = 0;
  look(&scratch);
#pragma heddle async private(scratch)
  // expected-remark@+1 {{interleaved the loop's iterations}}
  for (long i = 0; i < n; ++i) {
    scratch = table[keys[i]];
    sum += table[table[scratch]];
    look(&scratch);
    sum += scratch;
  }
  return sum;
}
