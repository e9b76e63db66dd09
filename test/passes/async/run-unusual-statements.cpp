// Statements that a loop seldom has.
//
// RUN: %same_output | FileCheck %s
// CHECK-COUNT-8: remark: {{(loop not )?}}interleaved

#include "Inputs/program.h"
#include <setjmp.h>

static int64_t chainSum(int64_t key) {
  int64_t sum = 0;
  for (Node *node = buckets[key % Buckets]; node; node = node->next)
    sum += node->value;
  return sum;
}

static jmp_buf start;

NOINLINE void jumpSometimes(int64_t value) noexcept {
  if (value % 997 == 1)
    longjmp(start, 1);
}

PROGRAM(jumpsBack) {
  volatile int64_t sum = 0;
  if (setjmp(start))
    return sum;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    int64_t value = chainSum(keys[i]);
    sum = sum + value;
    jumpSometimes(value);
  }
  return sum;
}

PROGRAM(assembly) {
  uint64_t sum = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    uint64_t value = chainSum(keys[i]);
    asm volatile("" ::: "memory");
    asm("" : "+r"(value));
    sum += value;
  }
  return sum;
}

PROGRAM(entered) {
  int64_t i = 0, sum = 0, value = 0;
  if (n % 2) {
    i = 1;
    value = 9;
    goto inside;
  }
#pragma heddle async CLAUSES
  for (i = 0; i < n; ++i) {
    value = 0;
  inside:
    value += chainSum(keys[i]);
    sum += value;
  }
  return sum;
}

PROGRAM(computedGoto) {
  static void *labels[] = {&&one, &&two, &&three};
  int64_t sum = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    int64_t value = 0;
    goto *labels[i % 3];
  one:
    value += 1;
  two:
    value += 2;
  three:
    value += 3 + chainSum(keys[i]);
    sum += value;
  }
  return sum;
}

PROGRAM(dynamicStack) {
  int64_t sum = 0, size = n % 13 + 1;
  int64_t totals[size];
  for (int64_t &total : totals)
    total = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    int64_t value = chainSum(keys[i]);
    totals[value % size] += value;
  }
  for (int64_t i = 0; i < size; ++i)
    sum = sum * 3 + totals[i];
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    int64_t own[size];
    own[i % size] = i;
    own[i % size] += chainSum(keys[i]);
    sum += own[i % size];
  }
  return sum;
}

static Node *known[Elements];

NOINLINE void publish(Node **place, Node *node) noexcept { *place = node; }

PROGRAM(escapes) {
  int64_t sum = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    Node own = nodes[i];
    publish(&known[i], &own);
    known[i]->value += chainSum(keys[i]);
    sum += own.value * 3 + known[i]->key;
    known[i] = nullptr;
  }
  return sum;
}

NOINLINE int64_t recursive(int64_t n, int depth = 3) {
  int64_t sum = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    int64_t value = chainSum(keys[i]);
    if (depth && value % 17 == 0)
      value += recursive(n / 8, depth - 1);
    sum += value;
  }
  return sum;
}

int main() {
  prepare();
  printPrograms();
  printForAllCounts("recursive", [](int64_t n) { return recursive(n); });
}
