// A callee that cannot become a part of the task waits as before, and a remark
// says so and why.
//
// RUN: %clang -O2 -gline-tables-only -Rpass=heddle -Rpass-missed=heddle -Wno-pass-failed -Xclang -verify -c -o /dev/null %s

#include "../support/loop.h"
#include "heddle/far.h"

#include <setjmp.h>
#include <stdarg.h>

#define CALLEE __attribute__((noinline)) static

long elsewhere(heddle_far const long *table, long at);

long unknown(heddle_far const long *table, const int *index, int n,
             long (*chosen)(heddle_far const long *, long)) {
  long sum = 0;
  // expected-remark@+1 {{interleaved the loop's iterations (dynamic schedule): 1 suspension point, 1 request}}
  ASYNC_LOOP(scheduler(dynamic)) {
    sum += table[index[i]];
    // expected-remark@+1 {{this call blocks its thread while it waits for far memory: 'elsewhere' is defined elsewhere}}
    sum += elsewhere(table, index[i]);
    // expected-remark@+1 {{this call blocks its thread while it waits for far memory: the function that a pointer calls is not known}}
    sum += chosen(table, index[i]);
  }
  return sum;
}

__attribute__((weak)) long replaceable(heddle_far const long *table, long at) {
  return table[at];
}

CALLEE long several(heddle_far const long *table, int count, ...) {
  va_list list;
  va_start(list, count);
  long sum = 0;
  while (count--)
    sum += table[va_arg(list, long)];
  va_end(list);
  return sum;
}

void use(long *values);
CALLEE long dynamic(heddle_far const long *table, long at) {
  long values[at + 1];
  values[at] = table[at];
  use(values);
  return values[0];
}

CALLEE long huge(heddle_far const long *table, long at) {
  long values[1000];
  values[0] = table[at];
  use(values);
  return values[0];
}

__attribute__((noinline, target("avx2"))) static long
other_target(heddle_far const long *table, long at) {
  return table[at];
}

CALLEE long annotated(heddle_far const long *table, long at) {
  long sum = 0;
#pragma heddle async scheduler(dynamic)
  // expected-remark@+1 {{interleaved the loop's iterations}}
  for (int i = 0; i < 100; ++i)
    sum += table[table[i + at]];
  return sum;
}

jmp_buf buffer;
CALLEE long returns_twice(heddle_far const long *table, long at) {
  return setjmp(buffer) ? 0 : table[at];
}

CALLEE long labels(heddle_far const long *table, long at) {
  static void *targets[] = {&&first, &&second};
  goto *targets[table[at] & 1];
first:
  return 1;
second:
  return table[at + 5];
}

long refused(heddle_far const long *table, const int *index, int n) {
  long sum = 0;
  // expected-remark@+1 {{interleaved the loop's iterations (dynamic schedule): 1 suspension point, 1 request}}
  ASYNC_LOOP(scheduler(dynamic)) {
    sum += table[index[i]];
    // expected-remark@+1 {{blocks its thread while it waits for far memory: 'replaceable' may be replaced by another definition}}
    sum += replaceable(table, i);
    // expected-remark@+1 {{blocks its thread while it waits for far memory: 'several' takes any number of arguments}}
    sum += several(table, 2, i, i + 1);
    // expected-remark@+1 {{blocks its thread while it waits for far memory: 'dynamic' allocates stack memory dynamically (line 46)}}
    sum += dynamic(table, i);
    // expected-remark@+1 {{blocks its thread while it waits for far memory: the variables of 'huge' take 8000 bytes, too many to keep them for every task}}
    sum += huge(table, i);
    // expected-remark@+1 {{blocks its thread while it waits for far memory: 'other_target' is compiled for another target or with other options than the loop}}
    sum += other_target(table, i);
    // expected-remark@+1 {{blocks its thread while it waits for far memory: 'annotated' has an annotated loop of its own}}
    sum += annotated(table, i);
    // expected-remark@+1 {{blocks its thread while it waits for far memory: 'returns_twice' may return twice}}
    sum += returns_twice(table, i);
    // expected-remark@+1 {{blocks its thread while it waits for far memory: 'labels' jumps to labels that cannot be followed}}
    sum += labels(table, i);
  }
  return sum;
}

// 50 accesses in a callee.
#define FIVE(x) x x x x x
CALLEE long many(heddle_far const long *table, long at) {
  FIVE(FIVE(at = table[at];))
  FIVE(FIVE(at = table[at];))
  return at;
}

long large(heddle_far const long *table, const int *index, int n) {
  long sum = 0;
  // expected-remark@+1 {{interleaved the loop's iterations (dynamic schedule): 50 suspension points}}
  ASYNC_LOOP(scheduler(dynamic)) {
    // expected-remark@+1 {{'many' became a nested coroutine}}
    const long first = many(table, index[i]);
    // expected-remark@+1 {{blocks its thread while it waits for far memory: 'many' would make the loop too large}}
    sum += many(table, first);
  }
  return sum;
}
