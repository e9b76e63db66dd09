// A variable that all iterations read through one pointer, and set through
// another that leads to the same place: it is not read once for all of them.
//
// RUN: %same_output -fno-exceptions | FileCheck %s
// CHECK: remark: interleaved

#include "../Inputs/program.h"

struct Best {
  int64_t key, value;
};
static int64_t held[8];

template <class T> NOINLINE static T *sameAs(T *pointer) {
  asm volatile("" : "+r"(pointer));
  return pointer;
}

static int64_t far(int64_t key) { return table[table[table[key]]]; }

static int64_t digest() {
  uint64_t all = 0;
  for (int64_t &one : held) {
    all = scramble(all ^ one);
    one = 0;
  }
  return all;
}

#define FOR _Pragma("heddle async") for (int64_t i = 0; i < n; ++i)

NOINLINE static void count(int64_t n, const int *isSet, int *set) {
  FOR {
    const int64_t value = far(keys[i]);
    if (*isSet == 0)
      *set = 1;
    else
      held[value & 7] += value;
  }
}

NOINLINE static void find(int64_t n, const Best *known, Best *best) {
  FOR {
    const int64_t value = far(keys[i]);
    if (known->value < value) {
      best->value = value;
      best->key = far(value);
    }
    held[value & 7] += 2;
  }
}

NOINLINE static void raise(int64_t n, const int64_t &known, int64_t &best) {
  FOR {
    const int64_t value = far(keys[i]);
    if (known < value)
      best = value;
    held[known & 7] += 1;
  }
}

NOINLINE static void begin(int64_t n, const uint8_t *array, uint8_t *end) {
  FOR {
    const int64_t value = far(keys[i]);
    if (array[3] == 0)
      end[-2] = 1;
    else
      ++held[value & 7];
  }
}

PROGRAM(flag) {
  int set = 0;
  count(n, sameAs(&set), sameAs(&set));
  return digest();
}

PROGRAM(record) {
  Best best = {-1, -1};
  find(n, sameAs(&best), sameAs(&best));
  return digest() ^ best.key ^ scramble(best.value);
}

PROGRAM(number) {
  int64_t best = 0;
  raise(n, *sameAs(&best), *sameAs(&best));
  return digest() ^ best;
}

PROGRAM(byteOfArray) {
  uint8_t array[8] = {};
  begin(n, sameAs(array), sameAs(array + 5));
  return digest();
}

PROGRAM(twoBytes) {
  uint8_t array[8] = {};
  begin(n, sameAs(array), sameAs(array + 6));
  return digest();
}

int main() {
  prepare();
  printPrograms();
}
