// A loop that may end in the middle of an iteration is interleaved: iterations
// behind the one that leaves have only read, and what follows the way out
// happens once, behind the loop.
//
// RUN: %clangxx -O2 -Rpass=heddle -Rpass-missed=heddle -Wno-pass-failed -Xclang -verify -c -o /dev/null %s

#include "../../support/loop.h"

#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <pthread.h>

long leavesByBreak(const long *keys, const long *table, long n) {
  long sum = 0;
  ASYNC_LOOP() { // expected-remark {{interleaved the loop's iterations}}
    long value = table[table[keys[i]]];
    if (value < 0)
      break;
    sum += value;
  }
  return sum;
}

long leavesByReturn(const long *keys, const long *table, long n) {
  ASYNC_LOOP() // expected-remark {{interleaved the loop's iterations}}
    if (table[table[keys[i]]] < 0)
      return i;
  return n;
}

long leavesByGoto(const long *keys, const long *table, long n) {
  long sum = 0;
  ASYNC_LOOP() // expected-remark {{interleaved the loop's iterations}}
    for (long j = 0; j < 3; ++j) {
      long value = table[table[keys[i]] + j];
      if (value < 0)
        goto found;
      sum += value;
    }
found:
  return sum;
}

// Leaving an inner loop, or the whole program, is another matter.
long leavesInnerLoop(const long *keys, const long *table, long n) {
  long sum = 0;
  ASYNC_LOOP() // expected-remark {{interleaved the loop's iterations}}
    for (long j = keys[i]; j >= 0; j = table[j]) {
      if (table[j] == 7)
        break;
      sum += j;
    }
  return sum;
}

long abortsOnError(const long *keys, const long *table, long n) {
  long sum = 0;
  ASYNC_LOOP() { // expected-remark {{interleaved the loop's iterations}}
    long value = table[table[keys[i]]];
    if (value < 0)
      abort();
    sum += value;
  }
  return sum;
}

void report(long) noexcept __attribute__((noreturn));
long endsByUnknownFunction(const long *keys, const long *table, long n) {
  long sum = 0;
  ASYNC_LOOP() { // expected-remark {{interleaved the loop's iterations}}
    long value = table[table[keys[i]]];
    if (value < 0)
      report(value);
    sum += value;
  }
  return sum;
}

// On the way there, it may do anything, but for getting back.
long saysWhyItEnds(const long *keys, const long *table, long n) {
  long sum = 0;
  ASYNC_LOOP() { // expected-remark {{interleaved the loop's iterations}}
    long value = table[table[keys[i]]];
    if (value < 0) {
      for (long j = value; j < 0; ++j)
        printf("%ld\n", j);
      exit(value == -1 ? 1 : 2);
    }
    sum += value;
  }
  return sum;
}

jmp_buf environment;
long jumps(const long *keys, const long *table, long n) {
  long sum = 0;
  ASYNC_LOOP() { // expected-remark {{interleaved the loop's iterations}}
    long value = table[table[keys[i]]];
    if (value < 0)
      longjmp(environment, 1);
    sum += value;
  }
  return sum;
}

[[noreturn]] __attribute__((noinline)) static void fail(long value) {
  if (value == -1)
    exit(1);
  longjmp(environment, 1);
}
long jumpsInFunction(const long *keys, const long *table, long n) {
  long sum = 0;
  ASYNC_LOOP() { // expected-remark {{interleaved the loop's iterations}}
    long value = table[table[keys[i]]];
    if (value < 0)
      fail(value);
    sum += value;
  }
  return sum;
}

// The other threads go on.
long endsThread(const long *keys, const long *table, long n) {
  long sum = 0;
  ASYNC_LOOP() { // expected-remark {{interleaved the loop's iterations}}
    long value = table[table[keys[i]]];
    if (value < 0)
      pthread_exit(nullptr);
    sum += value;
  }
  return sum;
}

long waitsForever(const long *keys, const long *table, long n) {
  long sum = 0;
  ASYNC_LOOP() { // expected-remark {{interleaved the loop's iterations}}
    long value = table[table[keys[i]]];
    if (value < 0)
      for (;;)
        puts("waiting");
    sum += value;
  }
  return sum;
}
