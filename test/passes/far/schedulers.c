// Loops over far memory are scheduled by what has arrived, and only so.
//
// RUN: %clang -O2 -Rpass=heddle -Rpass-missed=heddle -Wno-pass-failed -Xclang -verify -c -o /dev/null %s

#include "../support/loop.h"
#include "heddle/far.h"

long fifo(heddle_far const long *table, const int *index, int n) {
  long sum = 0;
  // expected-remark@+1 {{loop not interleaved: it accesses far memory, which only scheduler(dynamic) can wait for}}
  ASYNC_LOOP(scheduler(fifo))
    sum += table[index[i]];
  return sum;
}

long many(heddle_far const long *table, const int *index, int n) {
  long sum = 0;
  // expected-remark@+1 {{loop not interleaved: at most 256 tasks can wait for far memory}}
  ASYNC_LOOP(scheduler(dynamic) tasks(257))
    sum += table[index[i]];
  return sum;
}

long unsaid(heddle_far const long *table, const int *index, int n) {
  long sum = 0;
  ASYNC_LOOP() // expected-remark {{interleaved the loop's iterations (dynamic schedule): 1 suspension point, 1 request, 4 bytes of context a task, up to 256 tasks in flight}}
    sum += table[index[i]];
  return sum;
}

// Only far memory is waited for.
long chain(heddle_far const int *table, const int *near_table, const int *index,
           int n) {
  long sum = 0;
  // expected-remark@+1 {{interleaved the loop's iterations (dynamic schedule): 2 suspension points, 2 requests, 4 bytes of context a task, up to 256 tasks in flight}}
  ASYNC_LOOP(scheduler(dynamic))
    sum += table[near_table[table[near_table[index[i]]]]];
  return sum;
}
