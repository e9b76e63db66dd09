// scheduler(dynamic) waits for requests that report their completion, which
// those of ordinary memory do not.
//
// RUN: %clangxx -O2 -Rpass=heddle -Rpass-missed=heddle -Wno-pass-failed -Xclang -verify -c -o /dev/null %s

long chain(const long *keys, const long *table, long n) {
  long sum = 0;
#pragma heddle async scheduler(dynamic)
  // expected-remark@+1 {{loop not interleaved: scheduler(dynamic) is for far memory, which it does not access}}
  for (long i = 0; i < n; ++i)
    sum += table[table[keys[i]]];
  return sum;
}
