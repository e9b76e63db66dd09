// Values of every kind that live across suspensions.
//
// RUN: %same_output | FileCheck %s
// CHECK: remark: interleaved

#include "Inputs/program.h"

typedef float Vector __attribute__((vector_size(32)));
typedef unsigned __int128 Wide;

struct Point {
  double x, y;
  long double z;
};

NOINLINE Point pointOf(int64_t value) noexcept {
  return {value % 1000 + 0.0, 2.0 * (value % 77), value % 13 / 4.0L};
}

static double reals[Elements];

NOINLINE int64_t all(int64_t n) {
  int64_t sum = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    Vector vector = {float(i % 100), 1, 2, 3, 4, 5, 6, float(i % 9)};
    Wide wide = Wide(keys[i]) * 0x123456789abcdef + i;
    long double real = 1.0L / (i + 1);
    Point point = pointOf(keys[i]);
    bool odd = keys[i] & 1;
    uint8_t narrow = i;
    int16_t negative = -i;
    float single = i * 0.5f;
    _Complex double complex = {double(i % 7), 3};
    int64_t Node::*member = odd ? &Node::key : &Node::value;
    int64_t total = 0;
    for (Node *node = buckets[keys[i] % Buckets]; node; node = node->next) {
      total += node->*member;
      wide += total;
      vector = vector * 0.5f + float(total & 7);
      complex = complex * complex;
    }
    sum += total + int64_t(wide >> 60) + odd * 5 + narrow + negative;
    reals[i] = double(real * (total % 16) + point.z) + point.x + point.y +
               single + vector[7] + vector[0] + __real__ complex;
  }
  uint64_t hash = sum;
  for (int64_t i = 0; i < n; ++i)
    hash = hash * 31 + int64_t(reals[i] * 256);
  return hash;
}

int main() {
  prepare();
  printForAllCounts("all", all);
}
