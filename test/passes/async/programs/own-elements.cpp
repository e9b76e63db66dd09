// The element with the number of the iteration is its own: a suspension between
// a read and a write of it disturbs nobody.
//
// RUN: %same_output | FileCheck %s
// CHECK-NOT: {{not interleaved|not hidden}}
// CHECK-COUNT-8: interleaved the loop's iterations
// CHECK-NOT: {{interleaved|not hidden}}

#include "../Inputs/program.h"

static int64_t parent[Elements], value[Elements];

/// A forest: each element's parent comes before it.
static void plant() {
  for (int64_t i = 0; i < Elements; ++i) {
    parent[i] = i < 16 ? i : keys[i] % i;
    value[i] = table[i];
  }
}

static int64_t sumOf(const int64_t *values) {
  int64_t sum = 0;
  for (int64_t i = 0; i < Elements; ++i)
    sum = sum * 31 + values[i];
  return sum;
}

PROGRAM(compress) {
  plant();
  ASYNC_LOOP(CLAUSES)
    while (parent[i] != parent[parent[i]])
      parent[i] = parent[parent[i]];
  return sumOf(parent);
}

// Bits that neighbours share, and other elements by the same number, do not
// take it away.
PROGRAM(beside) {
  static int64_t level[Elements];
  static uint32_t bits[Elements / 32];
  plant();
  for (uint32_t &word : bits)
    word = 0;
  ASYNC_LOOP(CLAUSES)
    if (parent[i] != i) {
      int64_t at = parent[i];
      level[i] = 0;
      while (parent[at] != at && level[i] < 5) {
        at = table[at] % 2 ? parent[at] : parent[parent[at]];
        level[i] += 1;
      }
      value[i] += at;
      bits[i / 32] |= uint32_t(1) << i % 32;
    }
  return sumOf(value) + sumOf(level) + bits[7] + bits[100];
}

// The element by the number of an iteration may be that of its neighbour by
// another name: updates of it stay whole.
static NOINLINE int64_t addTo(int64_t *one, int64_t *other, int64_t n) {
  ASYNC_LOOP(CLAUSES) {
    const int64_t before = one[i];
    const int64_t at = table[table[table[keys[i]]]];
    const int64_t more = table[table[at]];
    one[i] = before + at;
    other[i] += more;
  }
  return n;
}

PROGRAM(twoNames) {
  static int64_t sums[Elements + 1];
  for (int64_t &sum : sums)
    sum = 0;
  addTo(sums, sums + 1, n);
  return sumOf(sums) + sums[Elements];
}

PROGRAM(root) {
  plant();
  ASYNC_LOOP(CLAUSES) {
    int64_t at = parent[i];
    while (parent[at] != at)
      at = parent[at];
    parent[i] = at;
  }
  return sumOf(parent);
}

PROGRAM(sumOfChain) {
  plant();
  ASYNC_LOOP(CLAUSES)
    for (Node *node = buckets[scramble(keys[i]) % Buckets]; node;
         node = node->next)
      value[i] = value[i] * 3 + node->value;
  return sumOf(value);
}

PROGRAM(depth) {
  plant();
  ASYNC_LOOP(CLAUSES) {
    value[i] = 0;
    for (int64_t at = i; parent[at] != at; at = parent[at])
      ++value[i];
  }
  return sumOf(value);
}

PROGRAM(replaced) {
  plant();
  ASYNC_LOOP(CLAUSES)
    if (value[i] & 1)
      value[i] = table[table[value[i]]];
  return sumOf(value);
}

// One array is read and appended to.
PROGRAM(frontier) {
  static int64_t queue[2 * Elements];
  int64_t end = Elements;
  for (int64_t i = 0; i < Elements; ++i) {
    value[i] = 0;
    queue[i] = keys[i];
  }
  ASYNC_LOOP(CLAUSES)
    for (Node *node = buckets[scramble(queue[i]) % Buckets]; node;
         node = node->next)
      if (value[node->key] == 0 &&
          __sync_bool_compare_and_swap(&value[node->key], 0, 1))
        queue[__sync_fetch_and_add(&end, 1)] = node->key;
  int64_t sum = end;
  for (int64_t i = Elements; i < end; ++i)
    sum += scramble(queue[i]) % 1000003;
  return sum;
}

int main() {
  prepare();
  printPrograms();
}
