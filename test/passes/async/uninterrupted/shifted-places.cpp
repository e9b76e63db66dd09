// Places that lie at the number of the iteration plus something that varies:
// other iterations may have them, too, unless each has a row or a column.
//
// RUN: %same_output -fno-exceptions | FileCheck %s
// CHECK: remark: interleaved the loop's iterations

#include "../Inputs/program.h"

static int64_t far(int64_t key) { return table[table[table[key]]]; }
static int64_t memory[Elements * 72];
static uint8_t bytes[Elements + 64];
static struct Point {
  int64_t x, y;
} points[Elements + 64];
static int offsets[8] = {3, 1, 7, 0, 5, 2, 6, 4};
static const int64_t eight = 8;

NOINLINE static void put(int64_t at, int64_t x) { memory[at] = x; }
NOINLINE static int64_t get(int64_t at) { return memory[at]; }
NOINLINE static void putBehind(int64_t at, int64_t offset, int64_t x) {
  memory[at + offset] = x;
}
NOINLINE static int64_t getBehind(int64_t at, int64_t offset) {
  return memory[at + offset];
}
NOINLINE static void putAt(int64_t *at, int64_t x) { *at = x; }
NOINLINE static int64_t getAt(const int64_t *at) { return *at; }

/// Each iteration fills eight places, waits for x, and reads them in another
/// order.
#define EIGHT(name, fill, value)                                               \
  PROGRAM(name) {                                                              \
    int64_t sum = offsets[0] & 1;                                              \
    ASYNC_LOOP(CLAUSES) {                                                      \
      for (int j = 0; j < 8; ++j)                                              \
        fill;                                                                  \
      const int64_t x = far(keys[i]);                                          \
      for (int j = 0; j < 8; ++j)                                              \
        sum += (x ^ j) * (value);                                              \
    }                                                                          \
    return sum;                                                                \
  }
#define AT offsets[j]
#define VALUE table[keys[i] ^ j]

EIGHT(called, put(i + AT, VALUE), get(i + offsets[7 - j]))
EIGHT(plain, memory[i + AT] = VALUE, memory[i + offsets[7 - j]])
EIGHT(halfCalled, put(i + AT, VALUE), memory[i + AT])
EIGHT(readByCall, memory[i + AT] = VALUE, get(i + AT))
EIGHT(scaled, put(2 * (i + AT), VALUE), get(2 * i + 2 * AT))
EIGHT(backwards, put(i - AT + 7, VALUE), get(i - AT + 7))
EIGHT(twoArguments, putBehind(i, AT, VALUE), getBehind(i, AT))
EIGHT(byAddress, putAt(&memory[i + AT], VALUE), getAt(&memory[i + AT]))
EIGHT(fields, points[i + AT].y = VALUE, points[i + AT].y)
EIGHT(narrow, bytes[i + AT] = uint8_t(VALUE), bytes[i + AT])
EIGHT(byKeys, put(i + keys[j] % 8, VALUE), get(i + keys[j] % 8))
EIGHT(farther, put(i + 3 * AT, VALUE), get(i + 3 * AT))
EIGHT(rows, put(i *eight + AT, VALUE), get(i *eight + AT))
EIGHT(columns, put(i + Elements * AT, VALUE), get(i + Elements * AT))

/// The same with one place.
#define ONE(name, at)                                                          \
  PROGRAM(name) {                                                              \
    int64_t sum = 0;                                                           \
    ASYNC_LOOP(CLAUSES) {                                                      \
      put(at, table[keys[i]]);                                                 \
      const int64_t x = far(keys[i]);                                          \
      sum += x * get(at);                                                      \
    }                                                                          \
    return sum;                                                                \
  }

ONE(byTheNumber, i + offsets[i & 7])
ONE(byTheKey, i + offsets[keys[i] & 7])
ONE(byTheKeyItself, i + (keys[i] & 7))

PROGRAM(movingPointer) {
  int64_t sum = 0;
  int64_t *at = memory;
  ASYNC_LOOP(CLAUSES) {
    for (int j = 0; j < 8; ++j)
      at[offsets[j]] = table[keys[i] ^ j];
    const int64_t x = far(keys[i]);
    for (int j = 0; j < 8; ++j)
      sum += (x ^ j) * at[offsets[j]];
    ++at;
  }
  return sum;
}

int main() {
  prepare();
  printPrograms();
}
