// Requests that do not wait for each other go out together, and those for one
// line are one.
//
// RUN: %clangxx -O2 -Rpass=heddle -Rpass-missed=heddle -Wno-pass-failed -Xclang -verify -c -o /dev/null %s
// RUN: %clangxx -O2 -S -emit-llvm -o - %s | FileCheck %s

#include "../../support/loop.h"

long independent(const int *a, const int *b, const int *c, const long *table,
                 long n) {
  long sum = 0;
  // expected-remark@+1 {{1 suspension point, 3 requests,}}
  ASYNC_LOOP(scheduler(lockstep))
    sum += table[a[i]] + table[b[i]] * table[c[i]];
  return sum;
}

long oneByOne(const int *a, const int *b, const int *c, const long *table,
              long n) {
  long sum = 0;
  // expected-remark@+1 {{1 suspension point, 3 requests (2 early),}}
  ASYNC_LOOP(scheduler(lockstep) coalesce(1))
    sum += table[a[i]] + table[b[i]] * table[c[i]];
  return sum;
}

long byTwos(const int *a, const int *b, const int *c, const long *table,
            long n) {
  long sum = 0;
  // expected-remark@+1 {{1 suspension point, 3 requests (2 early),}}
  ASYNC_LOOP(scheduler(lockstep) coalesce(2))
    sum += table[a[i]] + table[b[i]] * table[c[i]];
  return sum;
}

struct alignas(64) Line {
  long a, b, c;
};

// Three members, one line, one prefetch in the launch of a FIFO.
// CHECK-LABEL: define {{.*}}oneLine
// CHECK: call void @llvm.prefetch
// CHECK-NOT: call void @llvm.prefetch
long oneLine(const int *keys, const Line *lines, long n) {
  long sum = 0;
  // expected-remark@+1 {{1 suspension point, 1 request,}}
  ASYNC_LOOP(scheduler(fifo)) {
    const Line &line = lines[keys[i]];
    sum += line.a * line.b + line.c;
  }
  return sum;
}

struct Record {
  long key;
  char name[120];
  long value;
};

// One object on several lines.
// CHECK-LABEL: define {{.*}}twoLines
// CHECK-COUNT-2: call void @llvm.prefetch
// CHECK-NOT: call void @llvm.prefetch
long twoLines(const int *keys, const Record *records, long n) {
  long sum = 0;
  // expected-remark@+1 {{1 suspension point, 1 request,}}
  ASYNC_LOOP(scheduler(fifo)) {
    const Record &record = records[keys[i]];
    sum += record.key * record.value;
  }
  return sum;
}

// A line that has been requested once is not requested again.
// CHECK-LABEL: define {{.*}}visitedTwice
long visitedTwice(const int *keys, const Line *lines, const long *table,
                  long n) {
  long sum = 0;
  ASYNC_LOOP() { // expected-remark {{1 suspension point, 2 requests (1 early),}}
    const Line &line = lines[keys[i]];
    long value = table[line.a];
    sum += value & 1 ? line.b : line.c;
  }
  return sum;
}
