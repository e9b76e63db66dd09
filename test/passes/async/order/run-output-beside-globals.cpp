// Calls of operator new and delete, where vectors grow, change neither vectors
// nor pointers to arrays that have a name.
//
// RUN: %same_output | FileCheck %s
// CHECK-COUNT-2: remark: interleaved the loop's iterations
// CHECK-NOT: remark: interleaved

#include "../Inputs/appended.h"

#include <vector>

static std::vector<int64_t> probes;
Node **chains = buckets;
int64_t *starts, *targets;

static NOINLINE void join(std::vector<int64_t> &found) {
#pragma heddle async
  for (size_t i = 0; i < probes.size(); ++i)
    for (Node *node = chains[scramble(probes[i]) % Buckets]; node;
         node = node->next)
      if (node->key % 3 == probes[i] % 3)
        found.push_back(node->value);
}

PROGRAM(globalVectors) {
  probes.assign(keys, keys + n);
  std::vector<int64_t> found;
  join(known(found));
  return sumOf(found);
}

static NOINLINE void lookUp(std::vector<double> &found, int64_t n) {
  ASYNC_LOOP(CLAUSES) {
    const int64_t row = keys[i];
    for (int64_t at = starts[row]; at < starts[row + 1]; ++at)
      if (table[targets[at]] % 3)
        found.push_back(double(targets[at]));
  }
}

PROGRAM(globalRows) {
  std::vector<int64_t> ends{0}, all;
  for (int64_t i = 0; i < Elements; ++i) {
    for (int64_t k = 0; k < i % 4; ++k)
      all.push_back(int64_t(scramble(i * 4 + k) % Elements));
    ends.push_back(int64_t(all.size()));
  }
  starts = ends.data();
  targets = all.data();
  std::vector<double> found;
  lookUp(known(found), n);
  return sumOf(found);
}

int main() {
  prepare();
  printPrograms();
}
