// The condition of the if clause holds or not when the loop is reached,
// whatever becomes of its variables.
//
// RUN: %clangxx -O2 -Rpass=heddle -Rpass-missed=heddle -Wno-pass-failed -Xclang -verify -c -o /dev/null %s

#include "../../support/loop.h"

long fixed(const long *keys, const long *table, long n, long size) {
  long sum = 0;
  // expected-remark@+1 {{interleaved the loop's iterations}}
  ASYNC_LOOP(if (size > 1000))
    sum += table[table[keys[i]]];
  return sum;
}

long changing(const long *keys, const long *table, long n, long size) {
  long sum = 0;
  // expected-remark@+1 {{interleaved the loop's iterations}}
  ASYNC_LOOP(if (size > 1000)) {
    sum += table[table[keys[i]]];
    size -= sum;
  }
  return sum;
}

// The serial loop alone is no longer than without the directive.
long never(const long *keys, const long *table, long n) {
  constexpr bool wanted = false;
  long sum = 0;
  // expected-remark@+1 {{loop not interleaved: the condition of its if clause is false}}
  ASYNC_LOOP(if (wanted))
    sum += table[table[keys[i]]];
  return sum;
}
