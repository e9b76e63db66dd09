// Which accesses are taken to wait for memory: those whose addresses no
// prefetcher can foresee.
//
// RUN: %clangxx -O2 -Rpass=heddle -Rpass-missed=heddle -Wno-pass-failed -Xclang -verify -c -o /dev/null %s

#include "../../support/loop.h"

struct Node {
  Node *next;
  long key, value;
};

long gather(const int *keys, const long *table, long n) {
  long sum = 0;
  // expected-remark@+1 {{1 suspension point, 1 request,}}
  ASYNC_LOOP(scheduler(lockstep))
    sum += table[keys[i]];
  return sum;
}

long hash(const long *table, long n, int shift) {
  long sum = 0;
#pragma heddle async scheduler(lockstep)
  // expected-remark@+1 {{1 suspension point, 1 request,}}
  for (unsigned long i = 0; i < n; ++i)
    sum += table[(i ^ (i >> 7)) * 0x9E3779B97F4A7C15u >> shift];
  return sum;
}

long multiplicativeHash(const long *table, unsigned n) {
  long sum = 0;
#pragma heddle async scheduler(lockstep)
  // expected-remark@+1 {{1 suspension point, 1 request,}}
  for (unsigned i = 0; i < n; ++i)
    sum += table[i * 2654435761u & 0xfffff];
  return sum;
}

long random(const long *table, long n) {
  long sum = 0;
  unsigned long state = 1;
  // expected-remark@+1 {{1 suspension point, 1 request,}}
  ASYNC_LOOP(scheduler(lockstep)) {
    state = state * 6364136223846793005u + 1;
    sum += table[state >> 40];
  }
  return sum;
}

// No type of which a nested form is called.
long index(long, ...) noexcept;
long opaque(const long *table, long n) {
  long sum = 0;
  // expected-remark@+1 {{1 suspension point, 1 request,}}
  ASYNC_LOOP(scheduler(lockstep))
    sum += table[index(i)];
  return sum;
}

long pointers(Node *const *nodes, long n) {
  long sum = 0;
  // expected-remark@+1 {{1 suspension point, 1 request,}}
  ASYNC_LOOP(scheduler(lockstep))
    sum += nodes[i]->value;
  return sum;
}

long chase(Node *const *nodes, long n) {
  long sum = 0;
  ASYNC_LOOP() // expected-remark {{1 suspension point, 1 request,}}
    for (const Node *node = nodes[i]; node; node = node->next)
      sum += node->value;
  return sum;
}

// A stream that begins at an unpredictable place; within, the hardware
// prefetches.
long rows(const int *which, const long *starts, const long *matrix, long n) {
  long sum = 0;
  // expected-remark@+1 {{1 suspension point, 2 requests (1 early),}}
  ASYNC_LOOP(scheduler(lockstep)) {
    const long *row = matrix + starts[which[i]];
    for (long j = 0; j < 100; ++j)
      sum += row[j] * j;
  }
  return sum;
}

void atomic(const int *keys, long *table, long n) {
  // expected-remark@+1 {{1 suspension point, 1 request,}}
  ASYNC_LOOP(scheduler(lockstep))
    __atomic_fetch_or(&table[keys[i]], 1, __ATOMIC_RELAXED);
}

// The rest does not wait.

long stream(const long *values, long n) {
  long sum = 0;
  // expected-remark@+1 {{it has no long-latency access}}
  ASYNC_LOOP(scheduler(lockstep))
    sum += values[i] + values[3 * i + 5] + values[n - i] + values[i / 4];
  return sum;
}

long invariant(const long *values, long n, long at) {
  long sum = 0;
  // expected-remark@+1 {{what the call of 'index(long, ...)' accesses is not seen, and the rest has no long-latency access}}
  ASYNC_LOOP(scheduler(lockstep))
    sum += values[at] * index(i);
  return sum;
}

// A ring buffer.
long ring(const long *values, unsigned n) {
  long sum = 0;
#pragma heddle async scheduler(lockstep)
  // expected-remark@+1 {{it has no long-latency access}}
  for (unsigned i = 0; i < n; ++i)
    sum += values[i & 0xffff];
  return sum;
}

static const long smallTable[16] = {1, 2, 3, 4};
long smallObject(const long *keys, long n) {
  long sum = 0;
  // expected-remark@+1 {{it has no long-latency access}}
  ASYNC_LOOP(scheduler(lockstep))
    sum += smallTable[keys[i] & 15];
  return sum;
}

void store(const int *keys, long *table, long n) {
  // expected-remark@+1 {{it has no long-latency access}}
  ASYNC_LOOP()
    table[keys[i]] = i;
}

long wholeMatrix(const long *matrix, long n) {
  long sum = 0;
  // expected-remark@+1 {{it has no long-latency access}}
  ASYNC_LOOP(scheduler(lockstep))
    for (long j = 0; j < 100; ++j)
      sum += matrix[i * 100 + j];
  return sum;
}
