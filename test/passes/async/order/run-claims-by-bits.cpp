// An iteration claims an element by some bits of a value. Optimizers make
// another form of the index for each array: `k | -64` for an array that is
// reached from its end, `2 * v & 126` for pairs, `~v & 63` from the back.
//
// RUN: %same_output | FileCheck %s
// CHECK-COUNT-11: remark: {{interleaved|requested ahead}}

#include "../Inputs/claims.h"

#include <initializer_list>
enum { Places = 64 };
struct Row {
  uint64_t first, second;
};
static uint32_t taken[Places];
static uint64_t held[Places], pairs[2 * Places];
static Row rows[Places];

#define CLAIM(name, index, isTaken, taking, payload, count)                    \
  NOINLINE static void name##Claims(uint64_t n) {                              \
    uint32_t *end = samePlace(taken) + Places;                                 \
    (void)end;                                                                 \
    DIRECTIVE(CLAUSES)                                                         \
    for (uint64_t i = 0; i < n; ++i) {                                         \
      const uint64_t value = values[indices[i]];                               \
      const uint64_t k = index;                                                \
      if (!isTaken) {                                                          \
        taking = 1;                                                            \
        payload = far(k * 61 + i);                                             \
        count += payload ^ 1;                                                  \
      } else {                                                                 \
        payload = payload * 3 + 1;                                             \
        count ^= 5;                                                            \
      }                                                                        \
    }                                                                          \
  }                                                                            \
  PROGRAM(name) {                                                              \
    uint64_t sum = 0;                                                          \
    for (uint64_t n = 10; n < 500; n += 9) {                                   \
      memset(taken, 0, sizeof taken);                                          \
      memset(held, 0, sizeof held);                                            \
      memset(pairs, 0, sizeof pairs);                                          \
      memset(rows, 0, sizeof rows);                                            \
      name##Claims(n);                                                         \
      for (int at = 0; at < Places; ++at)                                      \
        for (uint64_t x : {held[at], pairs[2 * at], pairs[2 * at + 1],         \
                           rows[at].first, rows[at].second})                   \
          sum = sum * 31 + x;                                                  \
    }                                                                          \
    return sum;                                                                \
  }

CLAIM(fromTheEnd, value & 63, end[int64_t(k) - Places], taken[k], held[k],
      rows[k].first)
CLAIM(fromTheBack, value & 63, end[-1 - int64_t(k)], taken[63 - k],
      held[63 - k], rows[63 - k].second)
CLAIM(otherWayRound, value & 63, taken[k ^ 63], taken[k ^ 63], held[k],
      rows[k].first)
CLAIM(middleBits, (value >> 7) & 63, end[int64_t(k) - Places], taken[k],
      pairs[2 * k], rows[k].second)
CLAIM(oneByte, uint8_t(value) >> 2, end[int64_t(k) - Places], taken[k], held[k],
      rows[k].first)
CLAIM(highBits, value >> 58, end[int64_t(k) - Places], taken[k], pairs[2 * k],
      pairs[2 * k + 1])
CLAIM(inPairs, value & 63, taken[k], taken[k], pairs[2 * k], pairs[2 * k + 1])
CLAIM(evenOnes, (value & 31) << 1, taken[k], taken[k], rows[k].first,
      held[k >> 1])
CLAIM(remainders, value % 48, end[int64_t(k) - Places], taken[k], held[k],
      rows[k].second)

static uint8_t seen[Places / 8];
static uint64_t pages[Places / 16][16];

// The bytes of a bitmap, and pages of a table, are at some of the bits.
#define SPLIT(name, isTaken, taking)                                           \
  NOINLINE static void name##Claims(uint64_t n) {                              \
    DIRECTIVE(CLAUSES)                                                         \
    for (uint64_t i = 0; i < n; ++i) {                                         \
      const uint64_t k = (values[indices[i]] >> 9) & 63;                       \
      if (!isTaken) {                                                          \
        taking;                                                                \
        held[k] = far(k);                                                      \
      } else {                                                                 \
        held[k] += 1;                                                          \
      }                                                                        \
    }                                                                          \
  }                                                                            \
  PROGRAM(name) {                                                              \
    uint64_t sum = 0;                                                          \
    for (uint64_t count = 10; count < 500; count += 9) {                       \
      memset(seen, 0, sizeof seen);                                            \
      memset(pages, 0, sizeof pages);                                          \
      memset(held, 0, sizeof held);                                            \
      name##Claims(count);                                                     \
      for (const uint64_t value : held)                                        \
        sum = sum * 31 + value;                                                \
    }                                                                          \
    return sum;                                                                \
  }
SPLIT(bitmap, ((seen[k >> 3] >> (k & 7)) & 1), seen[k >> 3] |= 1u << (k & 7))
SPLIT(paged, pages[k >> 4][k & 15], pages[k >> 4][k & 15] = 1)

int main() {
  setValues();
  printPrograms();
}
