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

struct alignas(64) Row {
  int ranks[4];
  unsigned long words[4];
};

// Both rows of a step are known where it begins, and the second one is read for
// certain. Any of the ranks and the words of a row are in one line.
long steps(const unsigned *keys, const Row *rows, long n) {
  long sum = 0;
  ASYNC_LOOP() { // expected-remark {{1 suspension point, 2 requests,}}
    unsigned from = keys[i], to = ~keys[i];
    for (int step = 0; step < 9; ++step) {
      const unsigned kind = (from ^ to) & 3;
      const Row &first = rows[from >> 9], &second = rows[to >> 9];
      from = first.ranks[kind];
      for (unsigned word = 0; word < to % 4; ++word)
        from += __builtin_popcountl(first.words[word]);
      to = second.ranks[kind];
      for (unsigned word = 0; word < from % 4; ++word)
        to += __builtin_popcountl(second.words[word]);
    }
    sum += from + to;
  }
  return sum;
}

// The second table is not read by all, so that those that do wait for it.
long ifNeeded(const unsigned *keys, const int *first, const int *second,
              long n) {
  long sum = 0;
  ASYNC_LOOP() { // expected-remark {{2 suspension points, 2 requests,}}
    unsigned at = keys[i];
    for (int step = 0; step < 9; ++step) {
      const unsigned next = first[at];
      if (next % 4 == 0)
        sum += second[at ^ 1];
      at = next;
    }
  }
  return sum;
}

struct Link {
  const Link *next;
};

// What is requested in front of a walk may be gone behind it.
long behindWalk(const unsigned *keys, const Link *const *heads,
                const long *table, long n) {
  long sum = 0;
  ASYNC_LOOP() { // expected-remark {{2 suspension points, 2 requests,}}
    unsigned at = keys[i];
    for (int step = 0; step < 9; ++step) {
      unsigned length = 0;
      for (const Link *link = heads[at]; link; link = link->next)
        ++length;
      sum += table[at ^ 1];
      at = at * 5 + length;
    }
  }
  return sum;
}
