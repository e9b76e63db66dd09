// Loops that copy and fill objects in far memory do what the same loops do with
// data in memory. Objects lie in two pages now and then, and the cache is far
// smaller than the data.
//
// RUN: %clang -O1 -DNEAR -DDIRECTIVE= %s %far_runtime -o %t.near && %t.near > %t.expected
// RUN: %clang -O0 %s %far_runtime -o %t.O0 && %t.O0 "" | diff %t.expected - %if full %{&& env HEDDLE_FAR_CACHE=1M %t.O0 %t.data | diff %t.expected -%}
// RUN: %clang -O2 -Rpass=heddle %s %far_runtime -o %t.O2 2>&1 | FileCheck %s
// RUN: env HEDDLE_FAR_CACHE=1M %t.O2 %t.data | diff %t.expected - && %t.O2 "" | diff %t.expected -
// RUN: %clang -O3 -march=native %fopenmp %s %far_runtime -o %t.threads && env HEDDLE_FAR_CACHE=1M OMP_NUM_THREADS=3 %t.threads %t.data | diff %t.expected -
// RUN: rm -f %t.data

// All but the loop of total() are interleaved.
// CHECK-COUNT-7: remark: interleaved the loop's iterations (dynamic schedule)

#include "Inputs/far.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALLEE __attribute__((noinline)) static

enum { Records = 20000, Count = 9000 };

struct record {
  int64_t values[37];
};

static FAR struct record *records;
static FAR struct record *others;

static int place(int i, int prime) {
  return (int)((uint64_t)i * (uint64_t)prime % Records);
}

CALLEE int64_t digest(const struct record *record) {
  int64_t sum = 0;
  for (int k = 0; k < 37; ++k)
    sum = sum * 3 + record->values[k];
  return sum;
}

CALLEE void change(struct record *record, int64_t by) {
  for (int k = 0; k < 37; ++k)
    record->values[k] += by * k;
}

CALLEE int64_t load(int count) {
  int64_t sum = 0;
  LOOP {
    struct record record = records[place(i, 7919)];
    sum += digest(&record);
  }
  return sum;
}

CALLEE int64_t store(int count) {
  int64_t sum = 0;
  LOOP {
    struct record record;
    memset(&record, i & 3, sizeof record);
    change(&record, i);
    records[place(i, 104729)] = record;
    sum += record.values[9];
  }
  return sum;
}

// Several iterations update the same.
CALLEE int64_t update(int count) {
  int64_t sum = 0;
  DIRECTIVE for (int i = 0; i < count; ++i) {
    const int at = place(i / 3, 15485863);
    struct record record = records[at];
    change(&record, i);
    records[at] = record;
    sum += record.values[0];
  }
  return sum;
}

// All iterations update the same, and wait for something else between: the loop
// is left alone.
CALLEE int64_t total(int count) {
  int64_t sum = 0;
  FAR struct record *all = others;
  DIRECTIVE for (int i = 0; i < count; ++i) {
    struct record record = *all;
    change(&record, records[place(i, 7919)].values[3]);
    *all = record;
    sum += i;
  }
  struct record record = *all;
  return sum + digest(&record);
}

// A copy waits for what another has brought.
CALLEE int64_t follow(int count) {
  int64_t sum = 0;
  LOOP {
    struct record record = records[place(i, 7919)];
    for (int k = 0; k < 3; ++k) {
      const uint64_t next = (uint64_t)digest(&record) % Records;
      record = records[next];
    }
    sum += record.values[5];
  }
  return sum;
}

CALLEE int64_t fill(int count) {
  int64_t sum = 0;
  LOOP {
    memset(&records[place(i, 7919)], i % 5, sizeof(struct record));
    sum += i % 5;
  }
  return sum;
}

// From far memory to far memory.
CALLEE int64_t move(int count) {
  int64_t sum = 0;
  LOOP {
    others[i] = records[place(i, 104729)];
    sum += i;
  }
  return sum;
}

CALLEE int64_t sumOf(int at) {
  struct record record = others[at];
  return digest(&record);
}

// The copy is in a callee, which becomes a nested coroutine.
CALLEE int64_t call(int count) {
  int64_t sum = 0;
  LOOP sum += sumOf(place(i, 7919) % Count);
  return sum;
}

int main(int argc, char **argv) {
  const char *path = argc > 1 ? argv[1] : "";
  records =
      (FAR struct record *)allocate(path, 2 * Records * sizeof(struct record));
  others = records + Records;
  for (int i = 0; i < Records; ++i) {
    struct record record;
    for (int k = 0; k < 37; ++k)
      record.values[k] = (int64_t)i * 37 + k;
    records[i] = record;
  }
  printf("load %lld\n", (long long)load(Count));
  printf("store %lld\n", (long long)store(Count));
  printf("update %lld\n", (long long)update(Count));
  printf("total %lld\n", (long long)total(Count));
  printf("follow %lld\n", (long long)follow(Count));
  printf("move %lld\n", (long long)move(Count));
  printf("call %lld\n", (long long)call(Count));
  printf("fill %lld\n", (long long)fill(Count));
  printf("load %lld\n", (long long)load(Count));
}
