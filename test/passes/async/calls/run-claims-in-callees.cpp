// An iteration asks a function whether an element is free, has another function
// claim it, and fills in what other arrays have at its index.
//
// RUN: %same_output | FileCheck %s
// CHECK-COUNT-14: remark: {{interleaved|requested ahead}}

#include "../Inputs/claims.h"

enum { Places = 61 };
struct Row {
  uint64_t key, first, second;
};
struct Table {
  Row *rows;
  uint32_t *tags;
};
static Row rows[Places];
static uint32_t tags[Places];
static Table whole = {rows, tags};

NOINLINE static bool isUsed(uint64_t k) { return whole.tags[k]; }
NOINLINE static void use(uint64_t k) { whole.tags[k] = 1; }
NOINLINE static bool isUsedAt(uint32_t k) { return whole.tags[k]; }
NOINLINE static void tell(uint64_t k, bool *used) { *used = whole.tags[k]; }
NOINLINE static void fill(uint64_t k, uint64_t x) { whole.rows[k].first = x; }
NOINLINE static bool isMarked(const uint32_t *marks, uint64_t k) {
  return marks[k];
}
NOINLINE static void mark(uint32_t *marks, uint64_t k) { marks[k] = 1; }
NOINLINE static uint64_t keyOf(Table *table, uint64_t k) {
  return table->rows[k].key;
}
NOINLINE static void setKey(Table *table, uint64_t k, uint64_t key) {
  table->rows[k].key = key;
}
NOINLINE static uint64_t firstOf(Table *table, uint64_t k) {
  return table->rows[k].first;
}
NOINLINE static void setFirst(Table *table, uint64_t k, uint64_t value) {
  table->rows[k].first = value;
}
NOINLINE static Row *rowOf(Table *table, uint64_t k) { return &table->rows[k]; }

static void clear() {
  memset(rows, 0, sizeof rows);
  memset(tags, 0, sizeof tags);
}
static void add(uint64_t &sum) {
  for (const Row &row : rows)
    sum = (sum * 31 + row.first) * 31 + row.second;
}

#define LOOP(name, ...)                                                        \
  NOINLINE static void name##Claims(uint64_t n) {                              \
    uint32_t *marks = samePlace(tags);                                         \
    Table *table = samePlace(&whole);                                          \
    (void)marks, (void)table;                                                  \
    DIRECTIVE(CLAUSES)                                                         \
    for (uint64_t i = 0; i < n; ++i) {                                         \
      const uint64_t k = values[indices[i]] % Places;                          \
      __VA_ARGS__                                                              \
    }                                                                          \
  }                                                                            \
  PROGRAM(name) { return sumOfRuns(name##Claims, clear, add); }

LOOP(
    claimed,
    if (!isUsed(k)) {
      use(k);
      rows[k].first = far(k);
    } else { rows[k].first *= 3; })
LOOP(
    claimedHere,
    if (!isUsed(k)) {
      tags[k] = 1;
      rows[k].first = far(k);
    } else { rows[k].first *= 3; })
LOOP(
    askedHere,
    if (!tags[k]) {
      use(k);
      rows[k].first = far(k);
    } else { rows[k].first *= 3; })
LOOP(
    filledBefore,
    if (!isUsed(k)) {
      rows[k].first = far(k);
      use(k);
    } else { rows[k].first *= 3; })
LOOP(
    alwaysUsed, const bool was = isUsed(k); use(k);
    if (!was) { rows[k].first = far(k); } else { rows[k].first *= 3; })
LOOP(
    leftAlone,
    if (isUsed(k)) {
      rows[k].first *= 3;
      continue;
    } use(k);
    rows[k].first = far(k);)
LOOP(
    twoQuestions,
    if (!isUsed(k) && !keyOf(&whole, k)) {
      use(k);
      setKey(&whole, k, 2);
      rows[k].first = far(k);
      rows[k].second = far(i);
    } else {
      rows[k].first *= 3;
      rows[k].second ^= 5;
    })
LOOP(
    filledByCallee,
    if (!isUsed(k)) {
      use(k);
      setFirst(&whole, k, far(k));
    } else { setFirst(&whole, k, firstOf(&whole, k) * 3); })
LOOP(
    rowFromCallee,
    if (!isUsed(k)) {
      use(k);
      rowOf(&whole, k)->first = far(k);
    } else { rowOf(&whole, k)->first *= 3; })
LOOP(
    markedArray,
    if (!isMarked(tags, k)) {
      mark(tags, k);
      rows[k].first = far(k);
    } else { rows[k].first *= 3; })
LOOP(
    twoNames,
    if (!isMarked(marks, k)) {
      mark(tags, k);
      rows[k].first = far(k);
    } else { rows[k].first *= 3; })
LOOP(
    askedByName,
    if (!isMarked(marks, k)) {
      tags[k] = 1;
      rows[k].first = far(k);
    } else { rows[k].first *= 3; })
LOOP(
    claimedByName,
    if (!marks[k]) {
      mark(tags, k);
      rows[k].first = far(k);
    } else { rows[k].first *= 3; })
LOOP(
    twoTables,
    if (!keyOf(table, k)) {
      setKey(&whole, k, 1);
      rows[k].first = far(k);
    } else { rows[k].first *= 3; })

int main() {
  setValues();
  printPrograms();
}
