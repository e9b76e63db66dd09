// What a variable was before the last iteration changed it, used behind the
// loop: the compiler moves computations there that only the last result needs.
//
// RUN: %same_output | FileCheck %s
// CHECK-COUNT-12: remark: interleaved

#include "../Inputs/program.h"

#include <algorithm>

static int64_t sums[Elements];

PROGRAM(masked) {
  int64_t first = -1, final = 77;
#pragma heddle async
  for (int64_t i = 0; i < n; ++i) {
    const int64_t x = table[keys[i]];
    sums[x] += i;
    final = i & first;
    first = 255;
  }
  return final;
}

PROGRAM(constant) {
  int64_t first = -1, final = 77;
#pragma heddle async
  for (int64_t i = 0; i < n; ++i) {
    const int64_t x = table[keys[i]];
    sums[x] += i;
    final = first;
    first = 255;
  }
  return final;
}

PROGRAM(unchanged) {
  int64_t first = 5, other = n * 7, final = 1;
#pragma heddle async
  for (int64_t i = 0; i < n; ++i) {
    const int64_t x = table[keys[i]];
    sums[x] += i;
    final = first * i;
    first = other;
  }
  return final;
}

PROGRAM(sumBefore) {
  int64_t sum = 3, before = 0;
#pragma heddle async
  for (int64_t i = 0; i < n; ++i) {
    const int64_t x = table[keys[i]];
    sums[x] += i;
    before = sum;
    sum += x;
  }
  return before * 31 + sum;
}

PROGRAM(bothOfSum) {
  int64_t sum = 3, before = 0;
#pragma heddle async
  for (int64_t i = 0; i < n; ++i) {
    const int64_t x = table[keys[i]];
    sums[x] += i;
    before = sum ^ i;
    sum += x & 7;
  }
  return before * 31 + sum;
}

PROGRAM(productBefore) {
  uint64_t product = 1, before = 0;
#pragma heddle async
  for (int64_t i = 0; i < n; ++i) {
    const int64_t x = table[keys[i]];
    sums[x] += i;
    before = product;
    product *= x | 1;
  }
  return before * 31 + product;
}

PROGRAM(mostBefore) {
  int64_t most = 0, before = 0;
#pragma heddle async
  for (int64_t i = 0; i < n; ++i) {
    const int64_t x = table[keys[i]];
    sums[x] += i;
    before = most;
    most = std::max(most, x);
  }
  return before * 31 + most;
}

PROGRAM(bitsBefore) {
  int64_t bits = 0, before = 9;
#pragma heddle async
  for (int64_t i = 0; i < n; ++i) {
    const int64_t x = table[keys[i]];
    sums[x] += i;
    before = bits;
    bits |= x;
  }
  return before * 31 + bits;
}

PROGRAM(foundBefore) {
  bool found = false, before = true;
#pragma heddle async
  for (int64_t i = 0; i < n; ++i) {
    const int64_t x = table[keys[i]];
    sums[x] += i;
    before = found;
    found |= x % 512 == 7;
  }
  return before * 2 + found;
}

PROGRAM(countBefore) {
  int64_t number = 0, before = 9;
#pragma heddle async
  for (int64_t i = 0; i < n; ++i) {
    const int64_t x = table[keys[i]];
    sums[x] += i;
    before = number;
    number += x & 1;
  }
  return before * 31 + number;
}

PROGRAM(betweenUpdates) {
  int64_t sum = 0, between = 9;
#pragma heddle async
  for (int64_t i = 0; i < n; ++i) {
    const int64_t x = table[keys[i]];
    sums[x] += i;
    sum += x;
    between = sum;
    sum += i;
  }
  return between * 31 + sum;
}

PROGRAM(differences) {
  int64_t previous = 9, final = 0;
#pragma heddle async
  for (int64_t i = 0; i < n; ++i) {
    const int64_t x = table[keys[i]];
    sums[x] += i;
    final = i ^ (x - previous);
    previous = x;
  }
  return final * 31 + previous;
}

int main() {
  prepare();
  printPrograms();
}
