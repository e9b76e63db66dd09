// The place of an update is chosen twice in the same way: no conflict, since
// the two are one place. Where the choices differ, there is one.
//
// REQUIRES: plugin
// RUN: %heddle_clang -fheddle-check -O0 %s -o %t
// RUN: HEDDLE_CHECK=json:%t.json %t && %S/Inputs/expected-findings %s %t.json
// RUN: %heddle_clang -fheddle-check -O1 %s -o %t
// RUN: HEDDLE_CHECK=json:%t.json %t && %S/Inputs/expected-findings %s %t.json
// RUN: %heddle_clang -fheddle-check -O2 %s -o %t
// RUN: HEDDLE_CHECK=json:%t.json %t && %S/Inputs/expected-findings %s %t.json

#include <stdint.h>

enum { N = 200, PLACES = 8 };

static struct {
  uint32_t weight, key;
} record[N];
static int8_t narrow[PLACES];
static uint64_t wide[PLACES], rows[2][PLACES];
static volatile uint32_t seed = 1;

#define NOINLINE __attribute__((noinline))
static uint32_t low(uint32_t x) { return x % PLACES; }

// silent
static NOINLINE void narrowSum(void) {
#pragma heddle async
  for (uint32_t i = 0; i < N; ++i)
    narrow[low(record[i].key & 1 ? record[i].weight : record[i].key)] =
        (int8_t)(narrow[low(record[i].key & 1 ? record[i].weight
                                              : record[i].key)] +
                 (int8_t)i);
}

// silent
static NOINLINE void bits(void) {
#pragma heddle async
  for (uint32_t i = 0; i < N; ++i)
    wide[low(i % 3 ? record[i].weight / 2 : i)] =
        wide[low(i % 3 ? record[i].weight / 2 : i)] ^ i;
}

// silent
static NOINLINE void rowOfTwo(void) {
#pragma heddle async
  for (uint32_t i = 0; i < N; ++i)
    rows[record[i].key & 1 ? 1 : 0][low(i)] =
        rows[record[i].key & 1 ? 1 : 0][low(i)] + record[i].weight;
}

// silent
static NOINLINE void eitherArray(void) {
#pragma heddle async
  for (uint32_t i = 0; i < N; ++i)
    *(record[i].key & 1 ? &wide[low(i)] : &rows[0][low(record[i].weight)]) =
        *(record[i].key & 1 ? &wide[low(i)] : &rows[0][low(record[i].weight)]) +
        i;
}

// finds: reads what another iteration wrote
static NOINLINE void otherChoice(void) {
#pragma heddle async
  for (uint32_t i = 0; i < N; ++i)
    wide[low(record[i].key & 1 ? record[i].weight : record[i].key)] =
        wide[low(record[i].key & 2 ? record[i].weight : record[i].key)] + i;
}

int main(void) {
  for (uint32_t i = 0; i < N; ++i) {
    record[i].weight = i * 7 + seed;
    record[i].key = i * 13 + seed;
  }
  narrowSum();
  bits();
  rowOfTwo();
  eitherArray();
  otherChoice();
  return 0;
}
