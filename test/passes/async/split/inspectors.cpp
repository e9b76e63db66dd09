// Where the addresses of an inner loop follow from state that it carries, a
// copy of the loop in which only the state advances runs ahead of it, a block
// of iterations at a time, and requests what it comes to.
//
// RUN: %clangxx -O2 -fno-discard-value-names -Rpass=heddle -Wno-pass-failed -Xclang -verify -S -emit-llvm -o - %s | FileCheck %s

#include "../../support/loop.h"

struct Chunk {
  const Chunk *next;
  unsigned count;
  unsigned items[13];
};

// The inspector takes the steps of the iterator and adds nothing up.
// CHECK-LABEL: define {{.*}}chunks
// CHECK: while.body.inspect.lockstep:
// CHECK-NOT: fadd
// CHECK: call void @llvm.prefetch
// CHECK-NOT: fadd
// CHECK: inspect.next.lockstep.1:
// CHECK: icmp eq i64 %{{.*}}, 32
void chunks(Chunk *const *rows, const float *values, float *sums, long n) {
  ASYNC_LOOP() { // expected-remark {{1 suspension point, 2 requests (1 early),}}
    float sum = 0;
    const Chunk *chunk = rows[i];
    unsigned at = 0;
    while (chunk) {
      sum += values[chunk->items[at]];
      if (++at == chunk->count) {
        chunk = chunk->next;
        at = 0;
      }
    }
    sums[i] = sum;
  }
}

// Code under a condition that has to be waited for is left out.
// CHECK-LABEL: define {{.*}}codes
// CHECK: .inspect.lockstep:
// CHECK: call void @llvm.prefetch
long codes(const unsigned char *bytes, const unsigned *starts,
           const unsigned *counts, const long *values, long n) {
  long sum = 0;
  ASYNC_LOOP() { // expected-remark {{2 suspension points, 2 requests,}}
    const unsigned char *at = bytes + starts[i];
    unsigned item = 0;
    for (unsigned left = counts[i]; left; --left) {
      item += *at & 127;
      at += 1 + (*at >> 7);
      if (values[item] > 0)
        sum += values[item];
    }
  }
  return sum;
}

// Each iteration waits for the link to the next: an inspector would, too.
// CHECK-LABEL: define {{.*}}list
// CHECK-NOT: .inspect
struct Node {
  const Node *next;
  unsigned item;
};
long list(Node *const *rows, const long *values, long n) {
  long sum = 0;
  ASYNC_LOOP() // expected-remark {{1 suspension point, 3 requests (1 early),}}
    for (const Node *node = rows[i]; node; node = node->next)
      sum += values[node->item];
  return sum;
}

// The loop ends by what it would have to wait for.
// CHECK-LABEL: define {{.*}}search
// CHECK-NOT: .inspect
long search(Chunk *const *rows, const long *values, long n) {
  long sum = 0;
  ASYNC_LOOP() { // expected-remark {{3 suspension points, 3 requests,}}
    const Chunk *chunk = rows[i];
    unsigned at = 0;
    while (chunk) {
      if (values[chunk->items[at]] < 0)
        break;
      ++sum;
      if (++at == chunk->count) {
        chunk = chunk->next;
        at = 0;
      }
    }
  }
  return sum;
}

// It may set the links that it is going to follow.
// CHECK-LABEL: define {{.*}}links
// CHECK-NOT: .inspect
// CHECK: attributes #0
long links(Chunk *const *rows, const long *values, Chunk **set, long n) {
  long sum = 0;
  ASYNC_LOOP() { // expected-remark {{1 suspension point, 3 requests,}}
    const Chunk *chunk = rows[i];
    unsigned at = 0;
    while (chunk) {
      sum += values[chunk->items[at]];
      set[chunk->items[at]] = nullptr;
      if (++at == chunk->count) {
        chunk = chunk->next;
        at = 0;
      }
    }
  }
  return sum;
}
