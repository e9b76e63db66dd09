// Variables outside the loop that are in memory while it runs: errno, globals,
// elements that do not change with the iteration.
//
// RUN: %same_output | FileCheck %s
// CHECK-COUNT-7: remark: {{(loop not )?interleaved|requested ahead}}

#include "Inputs/program.h"
#include <errno.h>
#include <stdlib.h>

static char texts[Elements][24];
static int64_t lastError, latest, counts[64];

NOINLINE int64_t parse(const char *text) noexcept {
  lastError = text[0] == 'x';
  return text[0];
}

PROGRAM(setsErrno) {
  int64_t bad = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    errno = 0;
    strtol(texts[table[keys[i]]], nullptr, 10);
    if (errno == ERANGE)
      ++bad;
  }
  return bad;
}

PROGRAM(setInCallee) {
  int64_t bad = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    bad += parse(texts[table[keys[i]]]) & 1;
    if (lastError)
      bad += 3;
  }
  return bad;
}

// The value that was there before the loop, not the one that comes to be there.
PROGRAM(readBefore) {
  latest = 5;
  int64_t before = latest, sum = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    int64_t difference = before + i;
    for (Node *node = buckets[keys[i] % Buckets]; node; node = node->next)
      sum += node->value;
    sum += difference * 3;
    if (i == 3)
      latest = 1000000;
  }
  return sum;
}

PROGRAM(lastOneStays) {
  latest = -1;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i)
    latest = table[table[keys[i]]];
  return latest;
}

PROGRAM(hashInMemory) {
  latest = 1;
  int64_t total = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    int64_t value = table[table[keys[i]]];
    latest = int64_t(uint64_t(latest) * 31 + value);
    __atomic_fetch_add(&counts[value % 64], 1, __ATOMIC_SEQ_CST);
    total += value;
  }
  for (int64_t &count : counts)
    total = total * 3 + count, count = 0;
  return latest ^ total;
}

// The compiler keeps the element's value in a register, but stores it in every
// round: what is stored last must be the last value.
PROGRAM(sumInMemory) {
  static int64_t sums[Elements];
  for (int64_t i = 0; i < n; ++i) {
    sums[i] = 0;
    Node *node = buckets[i % Buckets];
#pragma heddle async CLAUSES
    while (node) {
      sums[i] += table[node->key] | i;
      node = node->next;
    }
  }
  int64_t total = 0;
  for (int64_t i = 0; i < n; ++i)
    total = total * 3 + sums[i];
  return total;
}

// Sums in between may overflow in another order.
PROGRAM(nearTheLimit) {
  int sum = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    int value = table[table[keys[i]]] >= 0 ? INT32_MAX : 1;
    sum += i % 2 ? -value : value;
  }
  return int64_t(sum) * 3 + (sum > 0);
}

int main() {
  prepare();
  for (int i = 0; i < Elements; ++i)
    snprintf(texts[i], sizeof texts[i], "%s",
             i % 3   ? "12"
             : i % 2 ? "99999999999999999999999"
                     : "x");
  printPrograms();
}
