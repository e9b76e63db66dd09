// HEDDLE_TUNE=random:SEED runs interleaved versions only, in another order for
// each seed and in the same one for the same seed. Who comes first, and so what
// this program prints, depends on the order.
//
// REQUIRES: plugin
// RUN: %clang -O2 %s %runtime -o %t
// RUN: for seed in 1 2 3 4 5 6; do HEDDLE_TUNE=random:$seed %t || exit 1; done > %t.first
// RUN: for seed in 1 2 3 4 5 6; do HEDDLE_TUNE=random:$seed %t || exit 1; done > %t.second
// RUN: cmp %t.first %t.second
// RUN: grep 'claimed 64' %t.first | count 6
// RUN: test $(sort -u %t.first | wc -l) -ge 3
// RUN: HEDDLE_TUNE=random:1 HEDDLE_STATS=1 %t 2>&1 | tr -s ' ' | FileCheck %s --check-prefix=STATS
// RUN: HEDDLE_TUNE=random:x %t 2>&1 | FileCheck %s --check-prefix=BAD
//
// STATS: 5000 5000
// BAD: heddle: warning: HEDDLE_TUNE='random:x' ignored: expected 'off', 'once', 'random:SEED' with a number as the seed, or the name of a file (write './random:x' for a file of that name)
// BAD-NEXT: claimed 64

#include <stdint.h>
#include <stdio.h>

enum { Count = 5000 };

static uint32_t next[Count], length[Count], owner[64];

__attribute__((noinline)) static void claim(unsigned count) {
#pragma heddle async
  for (unsigned i = 0; i < count; ++i) {
    uint32_t at = i;
    for (uint32_t step = 0; step < length[i]; ++step)
      at = next[at];
    if (owner[at % 64] == 0)
      owner[at % 64] = i + 1;
  }
}

int main(void) {
  for (uint32_t i = 0; i < Count; ++i) {
    next[i] = (uint32_t)((uint64_t)i * 2654435761u % Count);
    length[i] = i * 7919u % 13;
  }
  claim(Count);
  uint64_t claimed = 0, hash = 0;
  for (unsigned i = 0; i < 64; ++i) {
    claimed += owner[i] != 0;
    hash = hash * 31 + owner[i];
  }
  printf("claimed %llu hash %llx\n", (unsigned long long)claimed,
         (unsigned long long)hash);
}
