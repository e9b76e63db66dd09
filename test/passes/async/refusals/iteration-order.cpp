// Updates in iteration order limit the accesses that can be interleaved.
//
// RUN: %clangxx -O2 -g -Rpass=heddle -Rpass-missed=heddle -Wno-pass-failed -Xclang -verify -c -o /dev/null %s

#include "../../support/loop.h"

long step(long) noexcept;

// All that could be overlapped hangs on a variable that is advanced in order.
long ordered(const long *table, long state, long n) {
  long sum = 0;
  ASYNC_LOOP() { // expected-remark {{loop not interleaved: everything after its memory accesses must happen in iteration order because of the loop-carried variable 'state', so nothing is left to interleave}}
    state = step(state);
    sum += table[table[state]];
  }
  return sum;
}

// A chain of iterations behind an access that does not depend on them.
long hash(const long *keys, const long *table, long n) {
  long state = 1;
  ASYNC_LOOP() // expected-remark {{interleaved the loop's iterations}}
    state = (state ^ table[table[keys[i]]]) * 31;
  return state;
}

// A carried variable in the middle of a read-modify-write: it is the task's
// turn in front of that.
void count(const long *keys, const long *table, long *histogram, long n) {
  long last = 0;
  ASYNC_LOOP() { // expected-remark {{interleaved the loop's iterations}}
    long *place = &histogram[table[table[keys[i]]]];
    last = *place * 3 + last * 5;
    *place = last;
  }
}
