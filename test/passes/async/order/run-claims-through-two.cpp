// An iteration decides by what it reads through one pointer on what it writes
// through another one: by an atomic operation, or in a callee. Both may lead
// into one array.
//
// RUN: %same_output | FileCheck %s
// CHECK-COUNT-8: remark: {{interleaved|requested ahead}}

#include "../Inputs/claims.h"

enum { Places = 61 };
struct Row {
  uint64_t key, first, second;
};
static Row rows[Places];
static uint32_t taken[Places];
static uint64_t held[Places];

NOINLINE static void fill(Row *row, uint64_t value) {
  row->key = 1;
  row->first = value;
  row->second += value ^ 1;
}
NOINLINE static bool isFree(const Row *row) { return !row->key; }
NOINLINE static void take(uint32_t *place) { *place = 1; }

static uint64_t sumAndReset() {
  uint64_t sum = 0;
  for (int k = 0; k < Places; ++k)
    sum = ((sum * 31 + rows[k].first) * 31 + rows[k].second) * 31 + held[k];
  memset(rows, 0, sizeof rows);
  memset(taken, 0, sizeof taken);
  memset(held, 0, sizeof held);
  return sum;
}

#define LOOP(name, isClaim, claim, otherwise)                                  \
  NOINLINE static void name##Claims(uint64_t n) {                              \
    const Row *rowsSeen = samePlace(rows);                                     \
    const uint32_t *takenSeen = samePlace(taken);                              \
    (void)rowsSeen, (void)takenSeen;                                           \
    DIRECTIVE(CLAUSES)                                                         \
    for (uint64_t i = 0; i < n; ++i) {                                         \
      const uint64_t k = values[indices[i]] % Places;                          \
      if (isClaim) {                                                           \
        claim;                                                                 \
      } else {                                                                 \
        otherwise;                                                             \
      }                                                                        \
    }                                                                          \
  }                                                                            \
  PROGRAM(name) {                                                              \
    uint64_t sum = 0;                                                          \
    for (uint64_t count = 10; count < 500; count += 9) {                       \
      name##Claims(count);                                                     \
      sum = sum * 7 + sumAndReset();                                           \
    }                                                                          \
    return sum;                                                                \
  }

#define FAR far(k * 61 + i)
LOOP(exchange, !takenSeen[k],
     __atomic_exchange_n(&taken[k], 1u, __ATOMIC_RELAXED);
     held[k] = FAR, held[k] = held[k] * 3 + 1)
LOOP(compareExchange, !takenSeen[k], uint32_t none = 0;
     __atomic_compare_exchange_n(&taken[k], &none, 1u, false, __ATOMIC_RELAXED,
                                 __ATOMIC_RELAXED);
     held[k] = FAR, held[k] = held[k] * 3 + 1)
LOOP(counted, takenSeen[k] < 3,
     __atomic_fetch_add(&taken[k], 1u, __ATOMIC_RELAXED);
     held[k] = FAR, held[k] = held[k] * 3 + 1)
LOOP(taking, !takenSeen[k], take(&taken[k]);
     held[k] = FAR, held[k] = held[k] * 3 + 1)
LOOP(filling, !rowsSeen[k].key, fill(&rows[k], FAR),
     rows[k].first = rows[k].first * 3 + 1)
LOOP(asking, isFree(&rowsSeen[k]), rows[k].key = 1;
     rows[k].first = FAR, rows[k].first = rows[k].first * 3 + 1)
LOOP(askingAndFilling, isFree(&rowsSeen[k]), fill(&rows[k], FAR),
     rows[k].first = rows[k].first * 3 + 1)
LOOP(copying, !rowsSeen[k].key, Row row = rows[k]; row.key = 1; row.first = FAR;
     memcpy(&rows[k], &row, sizeof row), rows[k].first = rows[k].first * 3 + 1)

int main() {
  setValues();
  printPrograms();
}
