// Variables that the loop writes have the value of the last iteration after it.
//
// RUN: %same_output | FileCheck %s
// CHECK-NOT: not interleaved
// CHECK-COUNT-5: interleaved the loop's iterations
// CHECK-NOT: interleaved

#include "../Inputs/program.h"

PROGRAM(lastValue) {
  int64_t value = 17, bits = 0;
  ASYNC_LOOP(CLAUSES) {
    value = table[table[keys[i]]];
    bits |= value;
  }
  return value * 3 + bits;
}

PROGRAM(severalValues) {
  int64_t value = 17, twice = 18, sum = 0, square = 0;
  double half = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t steps = 0;
    for (Node *node = buckets[scramble(keys[i]) % Buckets]; node;
         node = node->next)
      ++steps;
    value = table[table[keys[i]]];
    twice = 2 * table[value] + steps;
    half = value / 2.0;
    square = i * i;
    sum += twice;
  }
  return value + twice * 3 + int64_t(half * 2) + square + sum;
}

// Of a loop that does not count.
NOINLINE int64_t uncounted(const Node *node) {
  int64_t value = 17, sum = 0;
#pragma heddle async CLAUSES
  while (node) {
    value = table[table[node->key]];
    sum += value;
    node = node->next;
  }
  return value * 3 + sum;
}

// Past a chunk that the serial version ran.
PROGRAM(inductions) {
  int64_t sum = 0, i, j = 5;
  const int64_t *p = keys;
#pragma heddle async CLAUSES
  for (i = 0; i < n; ++i, j -= 3, ++p)
    sum += table[table[*p]] * (j & 3);
  return sum + i * 3 + j * 5 + (p - keys);
}

// Beside variables of all other kinds, one of which says where to store.
NOINLINE int64_t besideStore(int64_t *positions, int64_t n) {
  int64_t last = -1, count = 0, sum = 0, maximum = -1, where = -1, mixed = 7;
  bool any = false;
  uint8_t parity = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t value = table[table[keys[i]]];
    sum += value;
    any |= (value & 1) != 0;
    if (value > maximum) {
      maximum = value;
      where = i;
    }
    if ((value & 7) == 3)
      positions[count++] = i;
    parity ^= uint8_t(value);
    last = value;
    if (value & 2)
      mixed = int64_t(uint64_t(mixed) * 3 + value);
    else
      mixed ^= i;
  }
  return last * 7 + count * 5 + sum * 3 + maximum * 11 + where * 13 + any * 19 +
         parity * 23 + (mixed & 0xffff);
}

int main() {
  prepare();
  printPrograms();
  printForAllCounts("uncounted", [](int64_t n) {
    static Node list[Elements];
    for (int64_t i = 0; i < n; ++i)
      list[i] = {i + 1 < n ? &list[i + 1] : nullptr, keys[i], i};
    return uncounted(n ? list : nullptr);
  });
  printForAllCounts("beside a store", [](int64_t n) {
    static int64_t positions[Elements];
    int64_t sum = besideStore(positions, n);
    for (int64_t position : positions)
      sum = sum * 31 + position;
    return sum;
  });
}
