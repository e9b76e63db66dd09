// Places that are an iteration's own only if a stride is not zero, and places
// that iterations share with their neighbours.
//
// RUN: %same_output -fno-exceptions | FileCheck %s
// CHECK-COUNT-12: remark: interleaved the loop's iterations
// CHECK-NOT: interleaved the loop's iterations

#include "../Inputs/program.h"

static int64_t far(int64_t key) { return table[table[table[key]]]; }
static int64_t memory[Elements * 72];
static volatile int64_t zero = 0, eight = 8;

NOINLINE static void put(int64_t at, int64_t x) { memory[at] = x; }
NOINLINE static int64_t get(int64_t at) { return memory[at]; }
NOINLINE static void putAt(int64_t *at, int64_t x) { *at = x; }
NOINLINE static int64_t getAt(const int64_t *at) { return *at; }
NOINLINE static void fill(int64_t *w, int64_t x) {
  for (int64_t j = 0; j < 8; ++j)
    w[j] = table[x ^ j];
}
NOINLINE static int64_t take(const int64_t *w, int64_t x) { return w[x & 7]; }

#define EACH(w)                                                                \
  for (int64_t j = 0; j < 8; ++j)                                              \
  (w)[j] = table[keys[i] ^ j]

/// A loop whose iterations fill row w, wait for x, and add \p value to the sum;
/// with rows side by side, and with one row for all of them.
#define ROW(name, row, fill, value)                                            \
  static int64_t name##Of(int64_t n, int64_t stride) {                         \
    int64_t sum = 0;                                                           \
    ASYNC_LOOP(CLAUSES) {                                                      \
      int64_t *w = row;                                                        \
      fill;                                                                    \
      const int64_t x = far(keys[i]);                                          \
      sum += value;                                                            \
    }                                                                          \
    return sum;                                                                \
  }                                                                            \
  PROGRAM(name) { return name##Of(n, zero) ^ (name##Of(n, eight) << 1); }

ROW(inlined, memory + i * stride, EACH(w), w[x & 7])
ROW(called, memory + i * stride, fill(w, keys[i]), take(w, x))
ROW(filledByCall, memory + i * stride, fill(w, keys[i]), w[x & 7])
ROW(readByCall, memory + i * stride, EACH(w), take(w, x))
ROW(backwards, memory + 8 * Elements - i * stride, EACH(w), w[x & 7])
ROW(behindTheFirst, memory + (i + 1) * stride, EACH(w), w[x & 7])
ROW(scaled, memory + i * (8 * stride), EACH(w), w[x & 7])
ROW(byNumbers, (put(i * stride, keys[i]), memory), ,
    get(i *stride) * (x & 7) + w[0] * 0)

#define MOVING(name, start, place, next)                                       \
  static int64_t name##Of(int64_t n, int64_t stride) {                         \
    int64_t sum = 0;                                                           \
    start;                                                                     \
    ASYNC_LOOP(CLAUSES) {                                                      \
      int64_t *w = place;                                                      \
      EACH(w);                                                                 \
      sum += w[far(keys[i]) & 7];                                              \
      next;                                                                    \
    }                                                                          \
    return sum;                                                                \
  }                                                                            \
  PROGRAM(name) { return name##Of(n, zero) ^ (name##Of(n, eight) << 1); }

MOVING(movingPointer, int64_t *at = memory, at, at += stride)
MOVING(movingNumber, int64_t at = 0, memory + at, at += stride)

/// Iterations that write to places of others, too, before they read them.
#define NEIGHBOURS(name, fill, value)                                          \
  PROGRAM(name) {                                                              \
    int64_t sum = 0;                                                           \
    ASYNC_LOOP(CLAUSES) {                                                      \
      fill;                                                                    \
      const int64_t x = far(keys[i]);                                          \
      sum += value;                                                            \
    }                                                                          \
    return sum;                                                                \
  }

NEIGHBOURS(two, put(i, keys[i]);
           put(i + 1, table[keys[i]]), (get(i) + 3 * get(i + 1)) * (x & 3))
NEIGHBOURS(onlyTheFirst, put(i, keys[i]); put(i + 1, i), get(i) * (x & 3))
NEIGHBOURS(onlyTheSecond, put(i, keys[i]); put(i + 1, i), get(i + 1) * (x & 3))
NEIGHBOURS(unrolled,
           for (int64_t j = 0; j < 3; ++j) put(i + j, table[keys[i] ^ j]),
           get(i) + 3 * get(i + 1) * (x & 3) + 5 * get(i + 2))
NEIGHBOURS(behind, put(i + 8, keys[i]); put(i + 6, i), get(i + 8) * (x & 3))
NEIGHBOURS(byAddress, putAt(&memory[i], keys[i]);
           putAt(&memory[i + 1], i),
           getAt(&memory[i + 1]) * (x & 3) + getAt(&memory[i]))
NEIGHBOURS(pairs, put(2 * i, keys[i]); put(2 * i + 2, i);
           put(2 * i + 1, 0), get(2 * i) * (x & 3))

// Each iteration has two places of its own.
NEIGHBOURS(ofItsOwn, put(2 * i, keys[i]);
           put(2 * i + 1, i), get(2 * i + 1) * (x & 3) + get(2 * i))
struct Point {
  int64_t x, y;
};
static Point points[Elements];
NEIGHBOURS(fields, putAt(&points[i].x, keys[i]);
           putAt(&points[i].y, i), getAt(&points[i].x) * (x & 3))

int main() {
  prepare();
  printPrograms();
}
