// A loop counter whose address a function is handed is in memory: the function
// reads the number of its own iteration, not that of the next one.
//
// RUN: %same_output -fno-exceptions | FileCheck %s
// CHECK-COUNT-4: remark: interleaved

#include "../Inputs/program.h"

#include <string.h>

enum { Places = 61 };
static int64_t sums[Places];

static int64_t total() {
  int64_t sum = 0;
  for (int64_t &value : sums) {
    sum = sum * 31 + value;
    value = 0;
  }
  return sum;
}

/// What takes long, from the second load on.
#define FAR(i) table[table[table[i]]]

#define PRAGMA(...) HEDDLE_PRAGMA(__VA_ARGS__)
#define LOOP(...)                                                              \
  PRAGMA(heddle async CLAUSES)                                                 \
  for (__VA_ARGS__)

NOINLINE static void addAt(const int64_t &i, int64_t by) {
  sums[keys[i] % Places] += by;
}
PROGRAM(byReference) {
  LOOP(int64_t i = 0; i < n; ++i)
  addAt(i, FAR(i));
  return total();
}

NOINLINE static void addAtPointer(const int *i, int64_t by) {
  sums[keys[*i] % Places] += by;
}
PROGRAM(byPointer) {
  LOOP(int i = 0; i < int(n); ++i)
  addAtPointer(&i, FAR(i));
  return total();
}

static int64_t global;
NOINLINE static void addAtGlobal(int64_t by) {
  sums[keys[global] % Places] += by;
}
PROGRAM(globalCounter) {
  LOOP(global = 0; global < n; ++global)
  addAtGlobal(FAR(global));
  return total();
}

PROGRAM(lambda) {
  LOOP(int64_t i = 0; i < n; ++i) {
    auto add = [&](int64_t by)
                   __attribute__((noinline)) { sums[keys[i] % Places] += by; };
    add(FAR(i));
  }
  return total();
}

static const int64_t *escaped;
NOINLINE static void addAtEscaped(int64_t by) {
  sums[keys[*escaped] % Places] += by;
}
PROGRAM(escapingAddress) {
  LOOP(int64_t i = 0; i < n; ++i) {
    escaped = &i;
    addAtEscaped(FAR(i));
  }
  return total();
}

// A list whose position is in memory.
struct Item {
  const Item *next;
  int64_t number;
};
static Item items[Elements];
NOINLINE static int64_t numberOf(const Item *const *item) {
  return (*item)->number;
}
PROGRAM(listPosition) {
  for (int64_t i = 0; i < n; ++i)
    items[i] = {i + 1 < n ? &items[i + 1] : nullptr, i};
  LOOP(const Item *item = n ? items : nullptr; item; item = item->next) {
    const int64_t by = FAR(item->number);
    sums[numberOf(&item) % Places] += by;
  }
  return total();
}

NOINLINE static void skip(int64_t &i, int64_t by) {
  sums[keys[i] % Places] += by;
  i += by % 2;
}
PROGRAM(changedByTheCallee) {
  LOOP(int64_t i = 0; i < n; ++i)
  skip(i, FAR(i));
  return total();
}

int main() {
  prepare();
  printPrograms();
}
