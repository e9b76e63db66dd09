// Counters that the programs about locks and read-modify-writes update.

#ifndef COUNTS_H
#define COUNTS_H

#include "program.h"

static int64_t *const counts = new int64_t[Elements];

static void clear() {
  for (int64_t i = 0; i < Elements; ++i)
    counts[i] = 0;
}

static int64_t countsSum() {
  int64_t sum = 0;
  for (int64_t i = 0; i < Elements; ++i)
    sum = sum * 31 + counts[i];
  return sum;
}

#endif
