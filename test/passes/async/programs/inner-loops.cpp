// Loops in the body: chains, blocks of requests, and ways through them.
//
// RUN: %same_output | FileCheck %s
// CHECK-NOT: not interleaved
// CHECK-COUNT-12: interleaved the loop's iterations
// CHECK-NOT: interleaved

#include "../Inputs/program.h"

PROGRAM(chain) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES)
    for (Node *node = buckets[scramble(keys[i]) % Buckets]; node;
         node = node->next)
      if (node->key == keys[i])
        sum += node->value;
  return sum;
}

PROGRAM(chainWithBreak) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    Node *node = buckets[scramble(keys[i]) % Buckets];
    while (node) {
      if (node->key == keys[i])
        break;
      node = node->next;
    }
    sum += node ? node->value : 7;
  }
  return sum;
}

NOINLINE int64_t binarySearch(const int64_t *sorted, int64_t n) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t low = 0, high = Elements;
    while (low < high) {
      int64_t middle = (low + high) / 2;
      if (sorted[middle] < 2 * keys[i] + 1)
        low = middle + 1;
      else
        high = middle;
    }
    sum += low;
  }
  return sum;
}

// Block lengths of 0, 1, and around the 16 that are requested together.
PROGRAM(neighbours) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t at = table[keys[i]] / 2, degree = i % 50;
    for (int64_t j = at; j < at + degree; ++j)
      sum += table[keys[j]] * (j & 7);
  }
  return sum;
}

PROGRAM(neighboursDownwards) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES)
    for (int j = int(i % 37); j >= 0; --j)
      sum += table[table[keys[j + i / 2]]] * j;
  return sum;
}

PROGRAM(neighboursWithBreak) {
  int64_t found = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t at = table[keys[i]] / 2;
    for (int64_t j = at; j < at + 40; ++j) {
      if (table[table[keys[j]]] % 16 == 3) {
        found += j;
        break;
      }
    }
  }
  return found;
}

PROGRAM(twoLoops) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t at = keys[i];
    for (int j = 0; j < (i & 3); ++j)
      at = table[at];
    int64_t partial = 0;
    for (int j = 0; j < 5; ++j)
      partial += table[table[(at + j) % Elements]];
    sum += partial;
  }
  return sum;
}

PROGRAM(continues) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    if (i % 3 == 0)
      continue;
    int64_t value = table[keys[i]];
    if (value & 1)
      continue;
    for (int64_t j = 0; j < 4; ++j) {
      if (table[(value + j) % Elements] & 1)
        continue;
      sum += j;
    }
    sum += table[value];
  }
  return sum;
}

PROGRAM(switches) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t value = table[keys[i]];
    switch (value % 6) {
    case 0:
      sum += 1;
      break;
    case 1:
      value = table[value];
      [[fallthrough]];
    case 2:
      sum += table[table[value]];
      break;
    case 3:
    case 4:
      continue;
    default:
      sum -= value;
    }
    sum += table[value] & 3;
  }
  return sum;
}

PROGRAM(jumps) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t at = keys[i], left = 5;
  again:
    at = table[at];
    if ((at & 3) && --left)
      goto again;
    if (!left)
      goto next;
    sum += at;
  next:
    sum += left;
  }
  return sum;
}

PROGRAM(countedChain) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t at = keys[i];
    for (int step = 0; step < 24; ++step)
      at = table[at];
    sum += at;
  }
  return sum;
}

PROGRAM(countedWithConditions) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES)
    for (int k = 0; k < 20; ++k) {
      const int64_t value = table[(keys[i] + k * 777) % Elements];
      if (value & 1)
        sum += table[value];
    }
  return sum;
}

int main() {
  prepare();
  static int64_t sorted[Elements];
  for (int64_t i = 0; i < Elements; ++i)
    sorted[i] = 2 * i;
  printPrograms();
  printForAllCounts("binary search",
                    [](int64_t n) { return binarySearch(sorted, n); });
}
