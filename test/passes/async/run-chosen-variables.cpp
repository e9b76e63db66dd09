// Loops whose optimizer knows that they have two iterations, and puts the
// addresses of an iteration's variables into phis.
//
// RUN: %same_output -fno-exceptions | FileCheck %s
// CHECK-COUNT-10: remark: interleaved the loop's iterations

#include "Inputs/program.h"

#include <string.h>

static int64_t slots[Elements], out[Elements];
static int64_t far(int64_t key) { return table[table[table[key]]]; }

/// Leaves other values on the stack.
NOINLINE static void scribble() {
  volatile int64_t values[64];
  for (int64_t k = 0; k < 64; ++k)
    values[k] = 77 + k;
}

/// A program whose loop has \p count iterations of a body, which sets slots[i].
#define LOOP(name, count, ...)                                                 \
  NOINLINE static void name##Of(int64_t number, int64_t n) {                   \
    int64_t i = 0, used = 0;                                                   \
    if (number != 0)                                                           \
      HEDDLE_PRAGMA(heddle async CLAUSES)                                      \
    do {                                                                       \
      __VA_ARGS__                                                              \
      if (slots[i] & 1)                                                        \
        out[used++] = slots[i] + i;                                            \
    } while (++i < number);                                                    \
  }                                                                            \
  PROGRAM(name) {                                                              \
    int64_t sum = 0;                                                           \
    memset(slots, 0, sizeof(slots));                                           \
    scribble();                                                                \
    name##Of(count, n);                                                        \
    for (int64_t i = 0; i < 4; ++i)                                            \
      sum = sum * 31 + slots[i] + out[i];                                      \
    return sum;                                                                \
  }

#define ARRAY(size, choice)                                                    \
  int64_t scratch[size];                                                       \
  for (int64_t j = 0; j < size; ++j)                                           \
    scratch[j] = j + n % 9;                                                    \
  const int64_t x = scratch[choice];                                           \
  slots[i] = far(far(x + n % 7)) + x;

LOOP(twoOfFive, 2, ARRAY(5, i % 5))
LOOP(twoOfTwo, 2, ARRAY(2, i % 2))
LOOP(backwards, 2, ARRAY(3, 2 - i))
LOOP(three, 3, ARRAY(5, i % 5))
LOOP(four, 4, ARRAY(4, i % 4))

#define CHANGED(second)                                                        \
  int64_t scratch[4];                                                          \
  for (int64_t j = 0; j < 4; ++j)                                              \
    scratch[j] = j + n;                                                        \
  scratch[i] += far(keys[i]);                                                  \
  scratch[second] ^= far(scratch[second] & (Elements - 1));                    \
  slots[i] = scratch[i] + far(keys[i + 7]);

LOOP(changed, 2, CHANGED(i))
LOOP(changedElsewhere, 2, CHANGED(1 - i))

LOOP(variables, 2, int64_t a = keys[i]; int64_t b = keys[i + 3];
     int64_t *at = i ? &a : &b; *at += far(*at);
     slots[i] = far(keys[i + 9]) + a * 3 + b;)

NOINLINE static void change(int64_t *at, int64_t x) { *at += x; }
LOOP(handed, 2, int64_t scratch[4] = {keys[i]}; scratch[1] = 1;
     change(&scratch[i % 4], far(keys[i]));
     slots[i] = far(keys[i + 2]) + scratch[i % 4] + scratch[0];)

LOOP(bytes, 2, uint8_t scratch[4] = {uint8_t(n)}; scratch[1] = n >> 1;
     slots[i] = far(far(scratch[i % 4])) + scratch[(i + 1) % 4];)

LOOP(nextOne, 2, int64_t scratch[4] = {n % 5}; scratch[1] = n % 6;
     const int64_t x = far(scratch[(i + 1) % 4]); scratch[i] = far(x);
     slots[i] = far(scratch[i % 4]) + scratch[2];)

int main() {
  prepare();
  printPrograms();
}
