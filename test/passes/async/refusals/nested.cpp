// Of nested annotated loops the innermost is interleaved.
//
// RUN: %clangxx -O2 -Rpass=heddle -Rpass-missed=heddle -Wno-pass-failed -Xclang -verify -c -o /dev/null %s

#include "../../support/loop.h"

long both(const long *starts, const long *keys, const long *table, long n) {
  long sum = 0;
  ASYNC_LOOP() // expected-remark {{loop not interleaved: a loop inside it is annotated too and was interleaved instead}}
#pragma heddle async
    // expected-remark@+1 {{interleaved the loop's iterations}}
    for (long j = starts[i]; j < starts[i + 1]; ++j)
      sum += table[table[keys[j]]];
  return sum;
}

// An inner loop that is left alone does not count.
long outer(const long *starts, const long *table, const long *weights, long n) {
  long sum = 0;
  ASYNC_LOOP() { // expected-remark {{interleaved the loop's iterations}}
    long at = table[table[starts[i]]];
#pragma heddle async
    // expected-remark@+1 {{loop not interleaved: it has no long-latency access}}
    for (long j = 0; j < 10; ++j)
      sum += weights[at + j] * j;
  }
  return sum;
}
