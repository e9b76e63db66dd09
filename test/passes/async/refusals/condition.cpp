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
