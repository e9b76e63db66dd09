// Iterations that wait at dozens of places: one after the other, under
// conditions that are requested together whether they hold or not, and more
// than there are suspension points for.
//
// RUN: %same_output | FileCheck %s
// CHECK-COUNT-7: remark: interleaved

#include "Inputs/program.h"

#define TWICE(step) step step
#define TIMES8(step) TWICE(TWICE(TWICE(step)))
#define TIMES24(step) TIMES8(step) TIMES8(step) TIMES8(step)

PROGRAM(chain) {
  int64_t sum = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    int64_t at = table[keys[i]];
    TIMES24(at = table[(at * 5 + i) % Elements]; sum += at;)
  }
  return sum;
}

PROGRAM(longChain) {
  int64_t sum = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    int64_t at = table[keys[i]];
    TIMES24(TWICE(TWICE(at = table[(at * 5 + i) % Elements]; sum += at;)))
  }
  return sum;
}

// Other bits decide on each, and an index that is not asked for may lie
// anywhere.
PROGRAM(conditions) {
  int64_t sum = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    const int64_t seed = table[keys[i]];
    uint64_t bits = scramble(seed);
    TIMES24(bits = scramble(bits + 1);
            if (bits % 3 == 0) sum += table[bits % Elements] + i;)
  }
  return sum;
}

// The address can only be computed where the condition holds.
PROGRAM(nullPointers) {
  int64_t sum = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    int64_t at = table[keys[i]];
    TIMES24(if (Node *node = buckets[at % Buckets]) {
      sum += node->value;
      if (node->next)
        at += node->next->key;
    } at = (at + 77) % Elements;)
  }
  return sum;
}

PROGRAM(divisors) {
  int64_t sum = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    const int64_t value = table[keys[i]];
    int64_t divisor = value % 4;
    TIMES24(if (divisor) sum += table[(value / divisor) % Elements];
            divisor = (divisor + 3) % 5;)
  }
  return sum;
}

// Updates of elements that several iterations share, each of which is whole.
PROGRAM(updates) {
  static int64_t counts[Elements];
  for (int64_t &count : counts)
    count = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    uint64_t bits = table[keys[i]];
    TIMES24(bits = scramble(bits + 3);
            if (bits % 2) counts[bits % Elements] += i + 1;)
  }
  int64_t sum = 0;
  for (int64_t i = 0; i < Elements; ++i)
    sum = sum * 31 + counts[i];
  return sum;
}

// What is appended keeps its order.
PROGRAM(appends) {
  static int64_t found[Elements];
  int64_t count = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    int64_t best = 0;
    uint64_t bits = table[keys[i]];
    TIMES24(bits = scramble(bits + 9); if (bits % 4) {
      const int64_t other = table[bits % Elements];
      best = other > best ? other : best;
    })
    if (best % 3)
      found[count++] = best + i;
  }
  int64_t sum = count;
  for (int64_t i = 0; i < count; ++i)
    sum = sum * 31 + found[i];
  return sum;
}

int main() {
  prepare();
  printPrograms();
}
