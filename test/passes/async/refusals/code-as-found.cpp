// A loop that is left alone is the code that it was, but for its marks,
// whatever form it was in and however far the analyses got with it.
//
// RUN: marked() { %clangxx -O2 -g -Xclang -disable-llvm-passes -emit-llvm -S -o - %s "$@" | %opt -passes='heddle-async-mark,function(sroa,simplifycfg,instcombine)' -S; }
// RUN: as_optimised() { %opt -passes='function(loop-mssa(loop-rotate,licm),early-cse<memssa>,instcombine)' -S "$1"; }
// RUN: split() { %opt -passes=heddle-async-split,verify -pass-remarks=heddle -pass-remarks-missed=heddle -S "$1" -o "$2"; }
// RUN: code() { %opt "$1" -o - | %opt -discard-value-names -S | sed -E '/call void .*@__heddle_async/d; /^(;|$|!|attributes)/d; s/ *; preds = .*//; s/([!#])[0-9]+/\1N/g'; }
//
// Loops as they are written, and as the optimiser leaves them.
// RUN: marked > %t.written
// RUN: as_optimised %t.written > %t.optimised
// RUN: for form in written optimised; do \
// RUN:   split %t.$form %t.$form.after 2>&1 | FileCheck --implicit-check-not='interleaved the' %s && \
// RUN:   diff <(code %t.$form) <(code %t.$form.after) || exit 1; \
// RUN: done
//
// In a function of which other loops are interleaved, it makes no difference to
// these, nor they to it, whether it was marked.
// RUN: marked -DBESIDE= > %t.unmarked
// RUN: marked -DBESIDE='_Pragma("heddle async")' > %t.marked
// RUN: split %t.unmarked %t.unmarked.after 2> /dev/null
// RUN: split %t.marked %t.marked.after 2>&1 | FileCheck --check-prefix=BESIDE %s
// RUN: diff <(code %t.unmarked.after) <(code %t.marked.after)

#include "../../support/loop.h"

#ifndef BESIDE

struct Node {
  Node *next;
  long value;
};
struct Guard {
  ~Guard();
};

void act(long) noexcept;
void fill(long *, long) noexcept;
long step(long) noexcept;
bool process(long) noexcept;
void mayThrow(long);
long limit, counter;

// CHECK-DAG: not interleaved: it has no long-latency access
long predictable(const long *values, long n) {
  long sum = 0;
  ASYNC_LOOP()
    sum += values[i] * limit;
  return sum;
}

// CHECK-DAG: not interleaved: its long-latency accesses do not depend on each other
void overlapped(const long *starts, const long *indices, const long *values,
                long *out, long n) {
  ASYNC_LOOP() {
    long sum = 0;
    for (long j = starts[i]; j < starts[i + 1]; ++j)
      sum += values[indices[j]];
    out[i] = sum;
  }
}

// CHECK-DAG: not interleaved: everything after its memory accesses
long leftEarly(const Node *const *lists, long n) {
  long sum = 0;
  ASYNC_LOOP() {
    for (const Node *node = lists[i]; node; node = node->next)
      if (node->value < limit)
        return sum;
    sum += i;
  }
  return sum;
}

// CHECK-DAG: not interleaved: it never ends
void neverEnds(const long *keys, const long *table) {
#pragma heddle async
  for (long i = 0;; ++i)
    process(table[table[keys[i]]]);
}

// CHECK-DAG: not interleaved: its control flow cannot be followed
void unknownControlFlow(const long *keys, const long *table, long n) {
  static void *const labels[] = {&&first, &&second};
  ASYNC_LOOP() {
    goto *labels[table[table[keys[i]]] & 1];
  first:
    act(i + limit);
    continue;
  second:
    act(i);
  }
}

// The labels are those of the loop behind.
// CHECK-DAG: not interleaved: it has no long-latency access
long besideLabels(const long *values, long n) {
  static void *const labels[] = {&&first, &&second, &&last};
  long sum = 0;
  ASYNC_LOOP()
    sum += values[i] * limit;
  for (long at = 0;;) {
    goto *labels[at & 3];
  first:
    at = step(at);
    continue;
  second:
    at = step(at + 1);
  }
last:
  return sum;
}

// CHECK-DAG: not interleaved: scheduler(dynamic) is for far memory
long dynamicWithoutFar(const long *keys, const long *table, long n) {
  long sum = 0;
  ASYNC_LOOP(scheduler(dynamic))
    sum += table[table[keys[i]]];
  return sum;
}

// CHECK-DAG: not interleaved: it allocates stack memory dynamically
void dynamicStack(const long *keys, const long *table, long n) {
  ASYNC_LOOP()
    fill(static_cast<long *>(__builtin_alloca(table[keys[i]])), i);
}

// CHECK-DAG: not interleaved: an exception that the call of 'mayThrow(long)' throws would leave it
void caughtAround(const long *keys, const long *table, long n) {
  Guard guard;
  try {
    ASYNC_LOOP() {
      Guard own;
      mayThrow(table[table[keys[i]]] + limit);
    }
  } catch (int) {
    act(1);
  }
}

// CHECK-DAG: not interleaved: what the call of 'mayThrow(long)' accesses is not seen
void exceptionLeaves(const long *keys, const long *table, long n) {
  Guard guard;
  ASYNC_LOOP() {
    Guard own;
    mayThrow(keys[i] + limit);
  }
}

// CHECK-DAG: not interleaved: each iteration has 65536 bytes of local variables
void localsTooLarge(const long *keys, const long *table, long n) {
  long sum = 0;
  ASYNC_LOOP() {
    long buffer[8192];
    fill(buffer + 5, table[table[keys[i]]]);
    sum += buffer[6];
  }
  counter = sum;
}

// CHECK-DAG: not interleaved: everything after its memory accesses must happen
long serialRest(const long *table, long state, long n) {
  long sum = 0;
  ASYNC_LOOP() {
    state = step(state);
    sum += table[table[state]];
  }
  return sum;
}

extern "C" int setjmp(long *) noexcept __attribute__((returns_twice));
// CHECK-DAG: not interleaved: its function calls setjmp
long longJump(const long *keys, const long *table, long n, long *environment) {
  if (setjmp(environment))
    return 0;
  long sum = 0;
  ASYNC_LOOP()
    sum += table[table[keys[i]]];
  return sum;
}

#else

// BESIDE-DAG: interleaved the loop's iterations
// BESIDE-DAG: not interleaved: it has no long-latency access
// BESIDE-DAG: interleaved the loop's iterations
long one(const long *keys, const long *table, long n, long size) {
  long sum = 0;
  ASYNC_LOOP()
    sum += table[table[keys[i]]];
  BESIDE
  for (long i = 0; i < size; ++i)
    sum += keys[i] * *table;
  ASYNC_LOOP()
    sum ^= table[table[keys[i]]];
  return sum;
}

// BESIDE-DAG: not interleaved: a loop inside it is annotated too
// BESIDE-DAG: interleaved the loop's iterations
long around(const long *starts, const long *keys, const long *table, long n) {
  long sum = 0;
  BESIDE
  for (long i = 0; i < n; ++i)
#pragma heddle async
    for (long j = starts[i]; j < starts[i + 1]; ++j)
      sum += table[table[keys[j]]];
  return sum;
}

#endif
