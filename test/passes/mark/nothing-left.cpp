// No trace of the front end's marks reaches the final code, whatever became of
// the loops.
//
// RUN: %clangxx -O0 -S -emit-llvm -o - %s | FileCheck --implicit-check-not=__heddle --implicit-check-not=initiationinterval --implicit-check-not=heddle.async --implicit-check-not=disable_nonforced %s
// RUN: %clangxx -O1 -S -emit-llvm -o - %s | FileCheck --implicit-check-not=__heddle --implicit-check-not=initiationinterval %s
// RUN: %clangxx -O2 -S -emit-llvm -o - %s | FileCheck --implicit-check-not=__heddle --implicit-check-not=initiationinterval %s
// RUN: %clangxx -O3 -S -emit-llvm -o - %s | FileCheck --implicit-check-not=__heddle --implicit-check-not=initiationinterval %s
// RUN: %clangxx -Os -S -emit-llvm -o - %s | FileCheck --implicit-check-not=__heddle --implicit-check-not=initiationinterval %s
// RUN: %clangxx -Oz -g -S -emit-llvm -o - %s | FileCheck --implicit-check-not='@__heddle' --implicit-check-not=initiationinterval %s
// RUN: %clangxx -O2 -c -o %t.o %s
// RUN: llvm-nm %t.o | FileCheck --check-prefix=SYMBOLS --implicit-check-not=__heddle %s

#include "../support/loop.h"

// SYMBOLS: plain

// CHECK: define {{.*}}plain
long plain(const long *keys, const long *table, long n) {
  long sum = 0;
  ASYNC_LOOP(shared(sum) remote(table) near(keys) if (n > 3))
    sum += table[table[keys[i]]];
  return sum;
}

// CHECK: define {{.*}}neverRuns
void neverRuns(const long *keys, long *table) {
#pragma heddle async
  for (long i = 0; i < 0; ++i)
    table[keys[i]] = i;
}

// CHECK: define {{.*}}runsOnce
void runsOnce(const long *keys, long *table) {
#pragma heddle async private(keys)
  for (long i = 0; i < 1; ++i)
    table[keys[i]] = i;
}

// CHECK: define {{.*}}runsThrice
long runsThrice(const long *keys, const long *table) {
  long sum = 0;
#pragma heddle async
  for (long i = 0; i < 3; ++i)
    sum += table[table[keys[i]]];
  return sum;
}

// CHECK: define {{.*}}withoutEffect
void withoutEffect(const long *keys, const long *table, long n) {
  long sum = 0;
  ASYNC_LOOP(sequential(sum))
    sum += table[table[keys[i]]];
}

// CHECK: define {{.*}}unreachable
void unreachable(const long *keys, long *table, long n) {
  return;
  ASYNC_LOOP()
    table[keys[i]] = i;
}

static long unused(const long *keys, long *table, long n) {
  ASYNC_LOOP()
    table[keys[i]] = i;
  return n;
}

// CHECK: define {{.*}}callsStatic
long callsStatic(const long *keys, long *table) {
  return unused(keys, table, 0);
}

// CHECK: define {{.*}}leftAlone
__attribute__((optnone, noinline)) void leftAlone(const long *keys, long *table,
                                                  long n) {
  ASYNC_LOOP()
    table[keys[i]] = i;
}
