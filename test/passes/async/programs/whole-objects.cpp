// Updates of memory that a comparison of two addresses does not show: whole
// objects, functions that get and set, addresses that are looked up again or
// chosen among two, and a flag that says whether to act.
//
// RUN: %same_output | FileCheck %s
// CHECK: remark: requested ahead what the loop's iterations access
// CHECK: remark: loop not interleaved: {{.*}}would split a read-modify-write
// CHECK: remark: interleaved the loop's iterations
// CHECK: remark: interleaved the loop's iterations
// CHECK: remark: interleaved the loop's iterations
// CHECK: remark: requested ahead what the loop's iterations access
// CHECK: remark: interleaved the loop's iterations
// CHECK-NOT: interleaved

#include "../Inputs/counts.h"

// Few enough places that iterations in flight meet at one.
enum { Places = 64 };

// Copied out, changed, and copied back.
struct Record {
  int64_t members[40];
};

NOINLINE int64_t structCopy(Record *records, int64_t n) {
  for (int64_t i = 0; i < Places; ++i)
    records[i] = {};
  ASYNC_LOOP(CLAUSES) {
    Record record = records[keys[i] % Places];
    int64_t value = table[table[keys[i] / 2]];
    record.members[keys[i] / Places % 40] += value;
    record.members[value % 40]++;
    records[keys[i] % Places] = record;
  }
  int64_t sum = 0;
  for (int64_t i = 0; i < Places; ++i)
    for (int64_t member : records[i].members)
      sum = sum * 31 + member;
  return sum;
}

NOINLINE int64_t get(const int64_t *place) noexcept {
  asm volatile("" ::: "memory");
  return *place;
}
NOINLINE void set(int64_t *place, int64_t value) noexcept {
  asm volatile("" ::: "memory");
  *place = value;
}

NOINLINE int64_t getterAndSetter(int64_t *places, int64_t n) {
  clear();
  ASYNC_LOOP(CLAUSES) {
    int64_t old = get(&places[keys[i] % Places]);
    int64_t value = table[table[keys[i] / 2]];
    set(&places[keys[i] % Places], old + value);
  }
  return countsSum();
}

// The store to `last` may have changed `cells`, so that the cell is looked up
// again.
NOINLINE int64_t addressReloaded(Node **cells, Node **last, int64_t n) {
  for (int64_t i = 0; i < Places; ++i)
    cells[i]->value = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t old = cells[keys[i] % Places]->value;
    last[i] = nullptr;
    int64_t value = table[table[keys[i] / 2]];
    cells[keys[i] % Places]->value = old + value;
  }
  int64_t sum = 0;
  for (int64_t i = 0; i < Places; ++i)
    sum = sum * 31 + cells[i]->value;
  return sum;
}

// The same at the end of a chain longer than anything looks at.
NOINLINE int64_t addressFarAway(Node **cells, Node **last, int64_t n) {
  for (int64_t i = 0; i < Places; ++i)
    cells[i]->value = 0;
  ASYNC_LOOP(CLAUSES) {
    Node *cell = cells[keys[i] % Places];
    int64_t old = cell->next->next->next->next->next->next->next->value;
    last[i] = nullptr;
    int64_t value = table[table[keys[i] / 2]];
    cell = cells[keys[i] % Places];
    cell->next->next->next->next->next->next->next->value = old + value;
  }
  int64_t sum = 0;
  for (int64_t i = 0; i < Places; ++i)
    sum = sum * 31 + cells[i]->value;
  return sum;
}

// A counter that is full leaves the update to another. How much is counted in
// all does not depend on the order.
NOINLINE int64_t addressOfTwo(int64_t *first, int64_t *second, int64_t n) {
  clear();
  ASYNC_LOOP(CLAUSES) {
    int64_t *place = &first[keys[i] % Places];
    int64_t old = *place;
    if (old >= 50) {
      place = &second[keys[i] / Places % Places];
      old = *place;
    }
    int64_t value = table[table[keys[i] / 2]] % 10 + 1;
    *place = old + value;
  }
  int64_t sum = 0;
  for (int64_t i = 0; i < Elements; ++i)
    sum += counts[i];
  return sum;
}

// How many different keys there are.
NOINLINE int64_t checkThenAct(const uint8_t *letters, char *seen, char *written,
                              int64_t n) {
  for (int64_t i = 0; i < 256; ++i)
    seen[i] = 0;
  int64_t different = 0;
  ASYNC_LOOP(CLAUSES) {
    if (!seen[letters[i]]) {
      written[i] = 1;
      different += 1 + (table[table[letters[i]]] < 0);
      seen[letters[i]] = 1;
    }
  }
  return different;
}

// The same, and the flag is set with the update of another object.
struct Visit {
  int64_t seen, times;
};
NOINLINE int64_t checkThenUpdate(Visit *visits, int64_t n) {
  for (int64_t i = 0; i < Places; ++i)
    visits[i] = {};
  int64_t different = 0;
  ASYNC_LOOP(CLAUSES) {
    Visit visit = visits[keys[i] % Places];
    int64_t value = table[table[keys[i] / 2]] | 1;
    if (!visit.seen) {
      visit.seen = 1;
      ++different;
    }
    visit.times += value;
    visits[keys[i] % Places] = visit;
  }
  for (int64_t i = 0; i < Places; ++i)
    different = different * 31 + visits[i].times;
  return different;
}

int main() {
  prepare();
  static Record records[Places];
  printForAllCounts("struct copy",
                    [](int64_t n) { return structCopy(records, n); });
  printForAllCounts("getter and setter",
                    [](int64_t n) { return getterAndSetter(counts, n); });
  static Node *cells[Places], *last[Elements];
  for (int64_t i = 0; i < Places; ++i)
    cells[i] = &nodes[i];
  printForAllCounts("address reloaded",
                    [](int64_t n) { return addressReloaded(cells, last, n); });
  static Node rings[Places], *starts[Places];
  for (int64_t i = 0; i < Places; ++i) {
    starts[i] = &rings[i];
    rings[i].next = &rings[(i * 7 + 1) % Places];
  }
  printForAllCounts("address far away",
                    [](int64_t n) { return addressFarAway(starts, last, n); });
  printForAllCounts("address of two", [](int64_t n) {
    return addressOfTwo(counts, counts + Places, n);
  });
  static uint8_t letters[Elements];
  static char seen[256], written[Elements];
  for (int64_t i = 0; i < Elements; ++i)
    letters[i] = uint8_t(keys[i]);
  printForAllCounts("check, then act", [](int64_t n) {
    return checkThenAct(letters, seen, written, n);
  });
  static Visit visits[Places];
  printForAllCounts("check, then update",
                    [](int64_t n) { return checkThenUpdate(visits, n); });
}
