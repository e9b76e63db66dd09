// An iteration claims an element, through another pointer than the one that it
// has read it by, on one of several ways on which it waits for its turn: other
// iterations may leave the loop.
//
// RUN: %same_output | FileCheck %s
// CHECK: remark: interleaved

#include "../Inputs/program.h"

#include <string.h>

enum { Places = 16, Values = 1 << 12, Sorted = 1000 };
static uint8_t taken[Places];
static uint64_t held[Places], values[Values];
static uint32_t indices[Values];

#define DIRECTIVE(...) HEDDLE_PRAGMA(heddle async __VA_ARGS__)

template <class T> NOINLINE static T *samePlace(T *pointer) {
  asm volatile("" : "+r"(pointer));
  return pointer;
}

static uint64_t far(uint64_t x) { return values[indices[x % Values]]; }

NOINLINE static void claim(int n) {
  uint8_t *view = samePlace(taken);
  int i = 0;
  DIRECTIVE(CLAUSES)
  while (i < n) {
    uint32_t low = 0, high = Sorted;
    while (low < high) {
      const uint32_t middle = (low + high) / 2;
      if (values[middle] < scramble(i) % 2000)
        low = middle + 1;
      else
        high = middle;
    }
    if (low & 1) {
      const uint64_t place = uint64_t(int(low & 4095) - (i & 4095)) % Places;
      if (taken[place] == 0) {
        view[place] = 1;
        held[place] = far(far(place * 1001));
      } else {
        held[place] += 5;
      }
    }
    if (low % 445 == 1)
      return;
    ++i;
  }
}

PROGRAM(claimed) {
  memset(taken, 0, sizeof taken);
  memset(held, 0, sizeof held);
  claim(500);
  uint64_t sum = 0;
  for (const uint64_t value : held)
    sum = sum * 31 + value;
  return sum;
}

int main() {
  for (uint32_t k = 0; k < Values; ++k) {
    indices[k] = scramble(k) % Values;
    values[k] = k < Sorted ? 2 * k : scramble(k + 77);
  }
  printPrograms();
}
