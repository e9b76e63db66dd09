// A loop that waits at many places has one suspension for a group of them whose
// addresses are known, and as many as its code allows for the others.
//
// RUN: %clangxx -O2 -Rpass=heddle -Rpass-missed=heddle -Rpass-analysis=heddle -Wno-pass-failed -Xclang -verify -c -o /dev/null %s

#include "../../support/loop.h"

#define TWICE(step) step step
#define TIMES8(step) TWICE(TWICE(TWICE(step)))

long chain(const long *keys, const long *table, long n) {
  long sum = 0;
  ASYNC_LOOP() { // expected-remark {{interleaved the loop's iterations (lockstep and FIFO schedules): 32 suspension points, 33 requests (1 early)}}
    // expected-remark@-1 {{a variable is shared}}
    long at = table[keys[i]];
    TIMES8(TWICE(TWICE(at = table[at];)))
    sum += at;
  }
  return sum;
}

// expected-remark@+8 {{the latency of this access is not hidden: the loop has as many suspension points as it may have; make its body simpler}}
long tooLong(const long *keys, const long *table, long n) {
  long sum = 0;
  ASYNC_LOOP() { // expected-remark {{interleaved the loop's iterations (lockstep and FIFO schedules): 64 suspension points, 65 requests (1 early)}}
    // expected-remark@-1 {{a variable is shared}}
    long at = table[keys[i]];
#define CHASE at = table[at];
    TIMES8(TIMES8(CHASE))
    TIMES8(CHASE)
    sum += at;
  }
  return sum;
}

long conditions(const long *keys, const long *table, long n) {
  long sum = 0;
  ASYNC_LOOP() { // expected-remark {{interleaved the loop's iterations (lockstep and FIFO schedules): 1 suspension point, 21 requests (1 early)}}
    // expected-remark@-1 {{a variable is shared}}
    const unsigned long bits = table[keys[i]];
#define LOOK4(first) LOOK(first) LOOK(first + 1) LOOK(first + 2) LOOK(first + 3)
#define LOOK(number)                                                           \
  if (bits & 1ul << (number))                                                  \
    sum += table[bits * ((number) + 3) % 9999991];
    LOOK4(0)
    LOOK4(4)
    LOOK4(8)
    LOOK4(12)
    LOOK4(16)
  }
  return sum;
}
