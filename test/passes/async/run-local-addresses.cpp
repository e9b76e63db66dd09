// Addresses into an iteration's own variables, and what is computed from them,
// leave the loop by code motion; the variables are the iteration's own all the
// same.
//
// RUN: %same_output | FileCheck %s
// CHECK-COUNT-3: remark: interleaved

#include "Inputs/program.h"

NOINLINE void set(int64_t *place, int64_t value) noexcept {
  place[0] = value;
  place[1] = value ^ 5;
}

PROGRAM(constantOffsets) {
  int64_t sum = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    int64_t own[8];
    set(own + 2, i);
    set(own + 5, i * 7);
    for (Node *node = buckets[keys[i] % Buckets]; node; node = node->next)
      sum += node->value;
    sum += own[2] + own[3] * 3 + own[5] * 11 + own[6];
  }
  return sum;
}

PROGRAM(chosen) {
  int64_t sum = 0;
  bool first = n % 2;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    int64_t a[4] = {i, 1, 2, 3}, b[4] = {9, i * 3, 4, 1};
    int64_t *either = first ? a + 1 : b + 1;
    set(either, i + 100);
    set(a + 2, i);
    for (Node *node = buckets[keys[i] % Buckets]; node; node = node->next)
      sum += node->value;
    sum += either[0] + either[1] * 3 + a[0] * 5 + b[1] * 7 + a[3];
  }
  return sum;
}

struct alignas(128) Aligned {
  int64_t values[5];
};

// Depends on nothing but the address: called once, in front of the loop.
NOINLINE bool isAligned(const Aligned *object) noexcept {
  return (uintptr_t(object) & 127) == 0;
}

PROGRAM(aligned) {
  int64_t sum = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    Aligned object;
    object.values[i % 5] = i;
    object.values[(i + 1) % 5] = 2 * i;
    sum += isAligned(&object);
    for (Node *node = buckets[keys[i] % Buckets]; node; node = node->next)
      sum += node->value;
    sum += object.values[i % 5] + object.values[(i + 1) % 5];
  }
  return sum;
}

int main() {
  prepare();
  printPrograms();
}
