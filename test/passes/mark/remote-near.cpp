// Accesses through the variables of remote and near clauses are tagged, however
// the variable is reached, and no others.
//
// RUN: %clangxx -O1 -Rpass=heddle -Rpass-missed=heddle -Wno-pass-failed -Xclang -verify -c -o /dev/null %s

#include "../support/loop.h"

// An affine stream that is far away.
long parameter(const long *far, const long *close, long n) {
  long sum = 0;
  // expected-remark@+1 {{1 suspension point, 1 request,}}
  ASYNC_LOOP(remote(far) scheduler(lockstep))
    sum += far[i] + close[i];
  return sum;
}

long nearParameter(const long *close, const int *keys, long n) {
  long sum = 0;
  // expected-remark@+1 {{it has no long-latency access}}
  ASYNC_LOOP(near(close) scheduler(lockstep))
    sum += close[keys[i]];
  return sum;
}

// An access at an index that is read from near memory need not be near.
long onlyFirstAccess(const long *close, const long *other, const int *keys,
                     long n) {
  long sum = 0;
  // expected-remark@+1 {{1 suspension point, 1 request,}}
  ASYNC_LOOP(near(close) scheduler(lockstep))
    sum += other[close[keys[i]]];
  return sum;
}

long *globalPointer;
long globalArray[1 << 20];

long globals(const int *keys, long n) {
  long sum = 0;
  // expected-remark@+1 {{it has no long-latency access}}
  ASYNC_LOOP(near(globalPointer, globalArray) scheduler(lockstep))
    sum += globalPointer[keys[i]] + globalArray[keys[i]];
  return sum;
}

struct Table {
  long *values, *other;
  long inlined[1 << 20];

  long member(const int *keys, long n) const {
    long sum = 0;
    // expected-remark@+1 {{1 suspension point, 1 request,}}
    ASYNC_LOOP(near(values) scheduler(lockstep))
      sum += values[keys[i]] + other[keys[i]];
    return sum;
  }

  long memberArray(const int *keys, long n) const {
    long sum = 0;
    // expected-remark@+1 {{it has no long-latency access}}
    ASYNC_LOOP(near(inlined) scheduler(lockstep))
      sum += inlined[keys[i]];
    return sum;
  }
};

long members(const Table &table, const int *keys, long n) {
  return table.member(keys, n) + table.memberArray(keys, n);
}

struct Node {
  Node *next;
  long value;
};

// A pointer that moves on.
long chain(Node **heads, long n) {
  long sum = 0;
  // expected-remark@+1 {{1 suspension point, 1 request,}}
  ASYNC_LOOP(near(heads) scheduler(lockstep))
    for (Node *node = heads[i]; node; node = node->next)
      sum += node->value;
  return sum;
}

// Through whatever is computed from it.
long derived(const long *close, const int *keys, long n, long offset) {
  long sum = 0;
  // expected-remark@+1 {{it has no long-latency access}}
  ASYNC_LOOP(near(close) scheduler(lockstep)) {
    const char *bytes = reinterpret_cast<const char *>(close + keys[i]);
    if (offset)
      bytes += offset;
    sum += bytes[3];
  }
  return sum;
}

long reference(const Node *close, const int *keys, long n) {
  long sum = 0;
  // expected-remark@+1 {{it has no long-latency access}}
  ASYNC_LOOP(near(close) scheduler(lockstep)) {
    const Node &node = close[keys[i]];
    sum += node.value;
  }
  return sum;
}

void atomics(long *close, const int *keys, long n) {
  // expected-remark@+1 {{it has no long-latency access}}
  ASYNC_LOOP(near(close) scheduler(lockstep))
    __atomic_fetch_add(&close[keys[i]], 1, __ATOMIC_RELAXED);
}

// A store is not waited for, except to far away.
void stores(long *far, const int *keys, long n) {
  // expected-remark@+1 {{1 suspension point, 1 request,}}
  ASYNC_LOOP(remote(far) scheduler(lockstep))
    far[keys[i]] = i;
}
