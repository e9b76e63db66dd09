// A pointer, a reference or a span may lead to the array that iterations append
// to, if it has room: an update that begins with a read by the one and ends
// with a write by the other is whole.
//
// RUN: %same_output -std=c++20 | FileCheck %s
// CHECK-COUNT-3: remark: loop not interleaved

#include "../Inputs/program.h"

#include <span>
#include <stdlib.h>
#include <vector>

enum { Rows = 64 };
struct Row {
  int64_t key, sum;
  Row *next;
};
static int64_t zeros[Elements];

template <class Array> int64_t sumOf(const Array &rows) {
  int64_t sum = 0;
  for (int64_t row = 0; row < Rows; ++row)
    sum = sum * 31 + rows[row].key + rows[row].sum;
  return sum;
}

PROGRAM(pointersStoredBefore) {
  std::vector<Row> rows;
  rows.reserve(Rows + n);
  std::vector<Row *> index;
  for (int64_t row = 0; row < Rows; ++row) {
    rows.push_back({0, 0, nullptr});
    index.push_back(&rows.back());
  }
  ASYNC_LOOP(CLAUSES) {
    const int64_t key = table[table[keys[i]]], row = key % Rows;
    const int64_t sum = index[row]->sum;
    rows[row].sum = sum + table[(table[key] + (sum & zeros[key])) % Elements];
    if (key & 1)
      rows.push_back({key, 0, nullptr});
  }
  return sumOf(rows);
}

PROGRAM(pointersInRows) {
  std::vector<Row> rows;
  rows.reserve(Rows + n);
  std::vector<Row *> index;
  for (int64_t row = 0; row < Rows; ++row) {
    rows.push_back({row, 0, row ? &rows[row - 1] : nullptr});
    index.push_back(&rows.back());
  }
  ASYNC_LOOP(CLAUSES) {
    const int64_t key = table[table[keys[i]]];
    Row *row = index[key % Rows];
    if (row->next)
      row = row->next;
    const int64_t sum = row->sum;
    rows[row->key].sum =
        sum + table[(table[key] + (sum & zeros[key])) % Elements];
    if (key & 1)
      rows.push_back({key, 0, nullptr});
  }
  return sumOf(rows);
}

PROGRAM(copiedPointers) {
  std::vector<Row> rows;
  rows.reserve(Rows + n);
  std::vector<Row *> index;
  index.reserve(Rows);
  for (int64_t row = 0; row < Rows; ++row) {
    rows.push_back({0, 0, nullptr});
    index.push_back(&rows.back());
  }
  const std::vector<Row *> other = index;
  ASYNC_LOOP(CLAUSES) {
    const int64_t key = table[table[keys[i]]], row = key % Rows;
    const int64_t sum = other[row]->sum;
    rows[row].sum = sum + table[(table[key] + (sum & zeros[key])) % Elements];
    if (key & 1)
      rows.push_back({key, 0, nullptr});
  }
  return sumOf(rows);
}

NOINLINE static int64_t reallocated(Row *rows, const Row *view, int64_t room,
                                    int64_t n) {
  int64_t count = Rows;
  ASYNC_LOOP(CLAUSES) {
    const int64_t key = table[table[keys[i]]], row = key % Rows;
    if (view[row].key == 0) {
      const int64_t value = table[table[row]];
      rows[row].key = row + 1;
      rows[row].sum += value;
    }
    if (key & 1) {
      if (count == room)
        rows = (Row *)realloc(rows, (room *= 2) * sizeof(Row));
      rows[count++] = {0, 0, nullptr};
    }
  }
  const int64_t sum = sumOf(rows);
  free(rows);
  return sum;
}
PROGRAM(twoPointers) {
  auto *rows = (Row *)calloc(Rows + n, sizeof(Row));
  return reallocated(rows, rows, Rows + n, n);
}

NOINLINE static int64_t moved(std::vector<Row> &&from,
                              std::span<const Row> view, int64_t n) {
  std::vector<Row> rows = std::move(from);
  ASYNC_LOOP(CLAUSES) {
    const int64_t key = table[table[keys[i]]], row = key % Rows;
    if (view[row].key == 0) {
      const int64_t value = table[table[row]];
      rows[row].key = row + 1;
      rows[row].sum += value;
    }
    if (key & 1)
      rows.push_back({0, 0, nullptr});
  }
  return sumOf(rows);
}
PROGRAM(spanOfMoved) {
  std::vector<Row> rows;
  rows.reserve(Rows + n);
  rows.resize(Rows);
  const std::span<const Row> view(rows);
  return moved(std::move(rows), view, n);
}

int main() {
  prepare();
  printPrograms();
}
