/* Runs the loops of an MLIR program, which are those of the functions loop_0 to
 * loop_19 that it has, for several numbers of iterations, and prints all that
 * they do. Arrays are handed over as memrefs of one dimension are; the second
 * and the third may overlap. */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { Elements = 512, Size = 256 };
static int64_t keys[Elements], values[Elements], others[Elements];
static int64_t recorded;

/* Called by a program, in an order that shows. */
void record(int64_t value) { recorded = recorded * 31 + value; }

#define MEMREF(type) type *, type *, int64_t, int64_t, int64_t
#define ARRAY(base) (base), (base), 0, Size, 1
typedef int64_t Loop(int64_t, MEMREF(int64_t), MEMREF(int64_t),
                     MEMREF(int64_t));
#define FOR_TEN_LOOPS(X, t)                                                    \
  X(t##0)                                                                      \
  X(t##1) X(t##2) X(t##3) X(t##4) X(t##5) X(t##6) X(t##7) X(t##8) X(t##9)
#define FOR_ALL_LOOPS(X) FOR_TEN_LOOPS(X, ) FOR_TEN_LOOPS(X, 1)
#define DECLARE(n) __attribute__((weak)) Loop loop_##n;
#define NAME(n) loop_##n,
FOR_ALL_LOOPS(DECLARE)
static Loop *const loops[] = {FOR_ALL_LOOPS(NAME)};

static uint64_t scramble(uint64_t x) {
  x = (x ^ (x >> 31)) * 0x9E3779B97F4A7C15u;
  return x ^ (x >> 29);
}

static void prepare(void) {
  recorded = 1;
  for (uint64_t i = 0; i < Elements; ++i) {
    keys[i] = scramble(3 * i + 1) % Size;
    values[i] = scramble(7 * i + 5) % Size;
    others[i] = scramble(5 * i + 9) % 1000;
  }
}

static uint64_t sumOf(const int64_t *array) {
  uint64_t sum = 0;
  for (int i = 0; i < Elements; ++i)
    sum = sum * 31 + array[i];
  return sum;
}

int main(void) {
  static const int64_t counts[] = {0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 200};
  for (unsigned l = 0; l < sizeof loops / sizeof *loops; ++l)
    for (unsigned c = 0; loops[l] && c < sizeof counts / sizeof *counts; ++c)
      for (int overlap = 0; overlap < 3; ++overlap) {
        prepare();
        int64_t *third = overlap == 0 ? others : values + 3 * (overlap - 1);
        int64_t result =
            loops[l](counts[c], ARRAY(keys), ARRAY(values), ARRAY(third));
        printf("loop_%u(%" PRId64 ") %d: %" PRIx64 " %" PRIx64 " %" PRIx64
               " %" PRIx64 " %" PRIx64 "\n",
               l, counts[c], overlap, result, sumOf(keys), sumOf(values),
               sumOf(others), recorded);
      }
  return 0;
}
