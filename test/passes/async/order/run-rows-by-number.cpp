// A row is found through a pointer, by a walk or in a table, and updated by its
// number; or the other way round. Both lead to one element.
//
// RUN: %same_output | FileCheck %s
// CHECK-COUNT-11: remark: {{interleaved|requested ahead}}

#include "../Inputs/claims.h"

enum { Lists = 8, Rows = 61 };
struct Row {
  uint64_t key, first, second;
  Row *next;
  uint64_t number;
};
static Row rows[Rows];
static Row *heads[Lists], *byIndex[Rows];
static uint32_t firsts[Lists], nexts[Rows], numbers[Rows];

static Row *find(uint64_t key) {
  Row *row = heads[key % Lists];
  while (row && row->key != key)
    row = row->next;
  return row;
}

static uint32_t findNumber(uint64_t key) {
  uint32_t number = firsts[key % Lists];
  while (number && rows[number].key != key)
    number = nexts[number];
  return number;
}

static void reset() {
  memset(heads, 0, sizeof heads);
  memset(firsts, 0, sizeof firsts);
  for (uint32_t k = 0; k < Rows; ++k) {
    rows[k] = {k, 0, 0, heads[k % Lists], k};
    byIndex[k] = heads[k % Lists] = &rows[k];
    nexts[k] = firsts[k % Lists];
    firsts[k % Lists] = k;
    numbers[k] = k;
  }
}

#define LOOP(name, ...)                                                        \
  NOINLINE static void name##Updates(uint64_t n) {                             \
    DIRECTIVE(CLAUSES)                                                         \
    for (uint64_t i = 0; i < n; ++i) {                                         \
      const uint64_t k = values[indices[i]] % Rows;                            \
      __VA_ARGS__                                                              \
    }                                                                          \
  }                                                                            \
  PROGRAM(name) {                                                              \
    uint64_t sum = 0;                                                          \
    for (uint64_t count = 10; count < 500; count += 9) {                       \
      reset();                                                                 \
      name##Updates(count);                                                    \
      for (const Row &row : rows)                                              \
        sum = (sum * 31 + row.first) * 31 + row.second;                        \
    }                                                                          \
    return sum;                                                                \
  }

LOOP(
    foundByWalk, Row *row = find(k); if (row) {
      const uint64_t old = row->first, x = far(k);
      rows[row->number].first = old * 3 + x;
    })
LOOP(
    claimedByNumber, Row *row = find(k); if (row && !row->second) {
      const uint64_t x = far(k);
      rows[row->number].second = 1;
      rows[row->number].first += x ^ 1;
    })
LOOP(
    readByNumber, Row *row = find(k); if (row) {
      const uint64_t old = rows[row->number].first, x = far(k);
      row->first = old * 3 + x;
    })
LOOP(
    numberByWalk, const uint32_t at = findNumber(k); if (at) {
      const uint64_t old = rows[at].first, x = far(k);
      byIndex[at]->first = old * 3 + x;
    })
LOOP(
    twoTables, Row *row = byIndex[numbers[k]]; if (!row->second) {
      const uint64_t x = far(k);
      rows[numbers[k]].second = x | 1;
      row->first += x ^ 1;
    } else { row->first *= 3; })
LOOP(readThroughTable, Row *row = byIndex[k]; const uint64_t old = row->first;
     const uint64_t x = far(k); rows[k].first = old * 3 + x;)
LOOP(writtenThroughTable, Row *row = byIndex[k];
     const uint64_t old = rows[k].first; const uint64_t x = far(k);
     row->first = old * 3 + x;)
LOOP(
    claimedThroughTable,
    if (!rows[k].second) {
      byIndex[k]->second = 1;
      byIndex[k]->first = far(k);
    } else { byIndex[k]->first *= 3; })
LOOP(
    filledByIndex, Row *row = byIndex[k]; if (!row->second) {
      row->second = 1;
      rows[k].first = far(k);
    } else { rows[k].first *= 3; })
LOOP(ownNumber, const uint64_t number = rows[k].number;
     const uint64_t old = rows[k].first; const uint64_t x = far(k);
     rows[number].first = old * 3 + x;)
LOOP(againThroughTable, Row *row = byIndex[k]; Row *same = byIndex[row->number];
     const uint64_t old = row->first; const uint64_t x = far(k);
     same->first = old * 3 + x;)

int main() {
  setValues();
  printPrograms();
}
