// Loops that walk by pointers, by iterators and along lists.
//
// RUN: %same_output | FileCheck %s
// CHECK-NOT: not interleaved
// CHECK-COUNT-6: interleaved the loop's iterations
// CHECK-NOT: interleaved

#include "../Inputs/program.h"
#include <vector>

PROGRAM(byPointer) {
  int64_t sum = 0;
#pragma heddle async CLAUSES
  for (const int64_t *p = keys, *end = keys + n; p != end; ++p)
    sum += table[table[*p]];
  return sum;
}

PROGRAM(byPointerDownwards) {
  int64_t sum = 0;
#pragma heddle async CLAUSES
  for (const int64_t *p = keys + n; p > keys; p -= 1)
    sum += table[table[p[-1]]] * (p - keys);
  return sum;
}

NOINLINE int64_t byIterator(const std::vector<int64_t> &values) {
  int64_t sum = 0;
#pragma heddle async CLAUSES
  for (auto i = values.rbegin(); i != values.rend(); ++i)
    sum += table[table[*i]];
  return sum;
}

NOINLINE int64_t overRange(const std::vector<int64_t> &values) {
  int64_t sum = 0;
#pragma heddle async CLAUSES
  for (int64_t value : values)
    sum += table[table[value]];
  return sum;
}

NOINLINE int64_t alongList(const Node *first) {
  int64_t sum = 0;
#pragma heddle async CLAUSES
  for (const Node *node = first; node; node = node->next)
    sum += table[table[node->key]] + node->value;
  return sum;
}

NOINLINE int64_t untilSentinel(const int64_t *values) {
  int64_t sum = 0;
#pragma heddle async CLAUSES
  while (*values >= 0)
    sum += table[table[*values++]];
  return sum;
}

int main() {
  prepare();
  printPrograms();
  printForAllCounts("by iterator", [](int64_t n) {
    return byIterator(std::vector<int64_t>(keys, keys + n));
  });
  printForAllCounts("over range", [](int64_t n) {
    return overRange(std::vector<int64_t>(keys, keys + n));
  });
  printForAllCounts("along list", [](int64_t n) {
    std::vector<Node> list(n + 1);
    for (int64_t i = 0; i < n; ++i)
      list[i] = {i + 1 < n ? &list[i + 1] : nullptr, keys[i], i};
    return alongList(n ? list.data() : nullptr);
  });
  printForAllCounts("until sentinel", [](int64_t n) {
    std::vector<int64_t> values(keys, keys + n);
    values.push_back(-1);
    return untilSentinel(values.data());
  });
}
