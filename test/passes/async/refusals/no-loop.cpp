// A loop whose body cannot be repeated is none any more when AsyncMark sees it.
//
// RUN: %clangxx -O2 -Rpass=heddle -Rpass-missed=heddle -Wno-pass-failed -Xclang -verify -c -o /dev/null %s

long once(const long *keys, const long *table) {
  long sum = 0;
#pragma heddle async
  do
    // expected-remark@+1 {{loop not interleaved: its body never runs twice}}
    sum += table[table[keys[sum]]];
  while (0);
  return sum;
}
