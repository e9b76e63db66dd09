// Clang, too, knows the numbers that the passes decide by, and their ranges.
// The bytes of a cache line are LLVM's option, which has no range by itself.
//
// RUN: %clang -O2 -Rpass=heddle -c -o /dev/null %s -mllvm -heddle-tasks-room=20 2>&1 | FileCheck %s --check-prefix=ROOM
// RUN: not %clang -O2 -c -o /dev/null %s -mllvm -heddle-tasks-room=0 2>&1 | FileCheck %s --check-prefix=ZERO
// ROOM: up to 20 tasks in flight
// ZERO: for the --heddle-tasks-room option: expected a number from 1 to 1024, not '0'
//
// RUN: %clang -O2 -S -emit-llvm -o - %s -mllvm -cache-line-size=128 | FileCheck %s --check-prefix=LINE
// RUN: not %clang -O2 -c -o /dev/null %s -mllvm -cache-line-size=48 2>&1 | FileCheck %s --check-prefix=ODD
// LINE: @heddle.site = {{.*}} align 128
// ODD: -cache-line-size: expected a power of two from 16 to 4096, not '48'

long chain(const long *keys, const long *table, long n) {
  long sum = 0;
#pragma heddle async
  for (long i = 0; i < n; ++i)
    sum += table[table[keys[i]]];
  return sum;
}
