// Memory that iterations share as soon as they have linked it, and elements of
// one of several vectors: they are filled in before others may copy, move or
// free them.
//
// RUN: %same_output -fno-exceptions | FileCheck %s
// CHECK: remark: {{loop not interleaved|interleaved}}

#include "../Inputs/program.h"

#include <algorithm>
#include <string.h>
#include <vector>

enum { Slots = 64 };
static int64_t far(int64_t key) { return table[table[table[key]]]; }

template <class Row> static int64_t digest(std::vector<Row> &rows) {
  int64_t sum = 0;
  for (Row &row : rows) {
    std::sort(row.begin(), row.end());
    for (int64_t value : row)
      sum = sum * 31 + value;
  }
  return sum;
}

#define VECTORS(name, ...)                                                     \
  PROGRAM(name) {                                                              \
    std::vector<std::vector<int64_t>> rows(Slots);                             \
    ASYNC_LOOP(CLAUSES) {                                                      \
      auto &row = rows[keys[i] % Slots];                                       \
      __VA_ARGS__                                                              \
    }                                                                          \
    return digest(rows);                                                       \
  }
VECTORS(pushed, const int64_t x = far(keys[i]); row.push_back(x); row.back()++;)
VECTORS(pushedByIndex, const int64_t x = far(keys[i]);
        rows[keys[i] % Slots].push_back(x); rows[keys[i] % Slots].back() += 3;)
VECTORS(pushedOrEmplaced, const int64_t x = far(keys[i]);
        if (x & 1) row.push_back(x); else row.emplace_back(x + 1);
        row.back() += 3;)
VECTORS(changedLater, row.push_back(1); row.back() += far(keys[i]);)
VECTORS(twice, const int64_t x = far(keys[i]); row.push_back(x);
        row.push_back(x + 1);)
VECTORS(first, row.push_back(i); row.front() += far(keys[i]);)

/// A slot whose array each iteration replaces.
#define SLOTS(name, ...)                                                       \
  PROGRAM(name) {                                                              \
    std::vector<int64_t *> slots(Slots);                                       \
    ASYNC_LOOP(CLAUSES) {                                                      \
      int64_t *&slot = slots[keys[i] % Slots];                                 \
      auto *longer = new int64_t[8];                                           \
      for (int k = 0; k < 8; ++k)                                              \
        longer[k] = slot ? slot[k] : 0;                                        \
      __VA_ARGS__                                                              \
    }                                                                          \
    int64_t sum = 0;                                                           \
    for (int64_t *slot : slots)                                                \
      for (int k = 0; slot && k < 8; ++k)                                      \
        sum = sum * 31 + slot[k];                                              \
    return sum;                                                                \
  }
SLOTS(replaced, delete[] slot; slot = longer; longer[far(keys[i]) % 8] += 1;)
SLOTS(kept, slot = longer; longer[far(keys[i]) % 8] += 1;)
SLOTS(filledFirst, longer[far(keys[i]) % 8] += 1; delete[] slot; slot = longer;)

int main() {
  prepare();
  printPrograms();
}
