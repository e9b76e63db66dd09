// Functions that the body calls, and functions that the loop is in.
//
// RUN: %same_output | FileCheck %s
// CHECK-NOT: not interleaved
// CHECK-COUNT-8: interleaved the loop's iterations

#include "../Inputs/program.h"

inline int64_t find(int64_t key) {
  for (Node *node = buckets[scramble(key) % Buckets]; node; node = node->next)
    if (node->key == key)
      return node->value;
  return -1;
}

NOINLINE int64_t inlined(int64_t n) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES)
    sum += find(keys[i]);
  return sum;
}

NOINLINE int64_t opaque(int64_t value) noexcept {
  asm volatile("");
  return table[value] ^ 5;
}

NOINLINE int64_t opaqueBetween(int64_t n) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES)
    sum += table[opaque(table[table[keys[i]]]) % Elements];
  return sum;
}

// Tasks of the callee's loop run within a task of the caller's.
NOINLINE int64_t callsAnnotated(int64_t n) noexcept {
  int64_t sum = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; i += 64)
    sum += inlined(table[table[keys[i]]] % 100);
  return sum;
}

// The loop's function calls itself from the loop.
NOINLINE int64_t recursive(int64_t at, int depth) noexcept {
  int64_t sum = at;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < 10; ++i) {
    int64_t value = table[table[(at + i) % Elements]];
    if (depth)
      sum += recursive(value, depth - 1);
  }
  return sum;
}

struct Table {
  const int64_t *values;
  int64_t size;

  NOINLINE int64_t sum(int64_t n) const {
    int64_t sum = 0;
    ASYNC_LOOP(CLAUSES)
      sum += values[values[keys[i]] % size];
    auto add = [&](int64_t factor) {
      ASYNC_LOOP(CLAUSES)
        sum += values[values[values[i]] % size] * factor;
    };
    add(3);
    add(n);
    return sum;
  }
};

template <class Value> NOINLINE int64_t generic(int64_t n) {
  Value sum = 0;
  ASYNC_LOOP(CLAUSES)
    sum += Value(table[table[keys[i]]]);
  return int64_t(sum);
}

int main() {
  prepare();
  printForAllCounts("inlined", inlined);
  printForAllCounts("opaque", opaqueBetween);
  printForAllCounts("calls annotated", callsAnnotated);
  printForAllCounts("recursive",
                    [](int64_t n) { return recursive(n, 2 + (n & 1)); });
  Table object{table, Elements};
  printForAllCounts("member", [&](int64_t n) { return object.sum(n); });
  printForAllCounts("short", generic<short>);
  printForAllCounts("double", generic<double>);
}
