// Where all that iterations wait for is requested ahead, none is suspended.
// They run one after the other, so that none waits for its turn, whatever is
// done in their order. A vector that grows ends the loop for want of memory
// only.
//
// RUN: %same_output -std=c++20 | FileCheck %s
// CHECK-COUNT-7: remark: requested ahead {{.*}} 0 suspension points, 1 request (1 early)
// CHECK-NOT: remark: loop not
// CHECK: remark: interleaved {{.*}} 1 suspension point

#include "../Inputs/program.h"

#include <vector>

template <class Vector> int64_t hash(const Vector &v) {
  int64_t sum = v.size();
  for (const auto &x : v)
    sum = int64_t(scramble(sum)) + x;
  return sum;
}

static int64_t out[Elements];
PROGRAM(fixedPlaces) {
  int64_t count = 0;
  ASYNC_LOOP(CLAUSES) {
    if (table[keys[i]] & 1)
      out[count++] = i;
  }
  return hash(std::vector<int64_t>(out, out + count));
}

PROGRAM(grownVector) {
  std::vector<int64_t> found;
  ASYNC_LOOP(CLAUSES) {
    if (table[keys[i]] & 1)
      found.push_back(i);
  }
  return hash(found);
}

PROGRAM(rangeOfPointers) {
  const std::vector<int64_t> range(keys, keys + n);
  std::vector<int64_t> found;
#pragma heddle async CLAUSES
  for (int64_t key : range)
    if (table[key] & 1)
      found.push_back(key);
  return hash(found);
}

PROGRAM(twoVectors) {
  std::vector<int64_t> odd;
  std::vector<int> even;
  ASYNC_LOOP(CLAUSES) {
    const int64_t value = table[keys[i]];
    if (value & 1)
      odd.push_back(value);
    else
      even.push_back(int(i));
  }
  return hash(odd) * 3 + hash(even);
}

PROGRAM(chained) {
  uint64_t state = 1, steps = 0;
  ASYNC_LOOP(CLAUSES) {
    const int64_t value = table[keys[i]];
    if (value & 3)
      state = scramble(state ^ uint64_t(value));
    else
      steps = steps * 3 + state;
  }
  return int64_t(state + steps);
}

static int64_t running;
PROGRAM(variableInMemory) {
  running = 7;
#pragma heddle async sequential(running) CLAUSES
  for (int64_t i = 0; i < n; ++i)
    if (table[keys[i]] & 1)
      running = running * 5 + i;
  return running;
}

PROGRAM(previous) {
  int64_t last = -1, changes = 0;
  ASYNC_LOOP(CLAUSES) {
    const int64_t value = table[keys[i]] % 3;
    if (value != last)
      changes = changes * 3 + value;
    last = value;
  }
  return changes;
}

// The loop is left when it is an iteration's turn.
PROGRAM(leftEarly) {
  std::vector<int64_t> found;
  ASYNC_LOOP(CLAUSES) {
    const int64_t value = table[keys[i]];
    if (value & 1)
      found.push_back(i);
    if (found.size() == 700)
      break;
  }
  return hash(found);
}

int main() {
  prepare();
  printPrograms();
}
