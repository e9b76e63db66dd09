// A task that stops everywhere costs more than it hides.
//
// RUN: %clangxx -O2 -Rpass=heddle -Rpass-missed=heddle -Wno-pass-failed -Xclang -verify -c -o /dev/null %s

#include "../../support/loop.h"

long many(const long *keys, const long *table, long n) {
  long sum = 0;
  ASYNC_LOOP() { // expected-remark {{loop not interleaved: it has too many suspension points}}
    long at = keys[i];
#define CHASE at = table[at];
#define CHASE5 CHASE CHASE CHASE CHASE CHASE
    CHASE5 CHASE5 CHASE5 CHASE CHASE sum += at;
  }
  return sum;
}

long fewer(const long *keys, const long *table, long n) {
  long sum = 0;
  ASYNC_LOOP() { // expected-remark {{interleaved the loop's iterations (lockstep and FIFO schedules): 15 suspension points, 16 requests (1 early)}}
    long at = keys[i];
    CHASE5 CHASE5 CHASE5 CHASE sum += at;
  }
  return sum;
}
