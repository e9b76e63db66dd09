// Objects that all iterations read, change and write back as a whole, and
// objects of neighbouring iterations that overlap: what one iteration adds is
// not lost where another waits for something else in between.
//
// RUN: %same_output | FileCheck %s

#include "../Inputs/program.h"
#include <string.h>

struct Record {
  int64_t members[40];
};

NOINLINE void change(Record *record, int64_t by) noexcept {
  asm volatile("" ::: "memory");
  for (int64_t k = 0; k < 40; ++k)
    record->members[k] += by * k;
}

NOINLINE int64_t oneOfAll(Record *all, int64_t n) {
  *all = {};
  // CHECK: remark: loop not interleaved: {{.*}} inside a read-modify-write or under a lock (line [[#@LINE+4]])
  ASYNC_LOOP(CLAUSES) {
    Record record = *all;
    change(&record, table[table[keys[i]]]);
    *all = record;
  }
  int64_t sum = 0;
  for (int64_t member : all->members)
    sum = sum * 31 + member;
  return sum;
}

// Each has eight elements, of which it shares seven with the next.
NOINLINE void addToWindow(int64_t *window, int64_t by) noexcept {
  asm volatile("" ::: "memory");
  for (int64_t k = 0; k < 8; ++k)
    window[k] += by;
}

NOINLINE int64_t overlappingWindows(int64_t *places, int64_t n) {
  for (int64_t i = 0; i < n + 8; ++i)
    places[i] = 0;
  // CHECK: remark: loop not interleaved: {{.*}} would split a read-modify-write (line [[#@LINE+4]])
  ASYNC_LOOP(CLAUSES) {
    int64_t window[8];
    memcpy(window, &places[i], sizeof window);
    addToWindow(window, table[table[keys[i]]]);
    memcpy(&places[i], window, sizeof window);
  }
  int64_t sum = 0;
  for (int64_t i = 0; i < n + 8; ++i)
    sum = sum * 31 + places[i];
  return sum;
}

// The same where the copies are made in functions.
struct Window {
  int64_t values[8];
};
NOINLINE void getWindow(const int64_t *from, Window *window) noexcept {
  asm volatile("" ::: "memory");
  memcpy(window, from, sizeof *window);
}
NOINLINE void putWindow(int64_t *to, const Window *window) noexcept {
  asm volatile("" ::: "memory");
  memcpy(to, window, sizeof *window);
}

NOINLINE int64_t windowsInCallees(int64_t *places, int64_t n) {
  for (int64_t i = 0; i < n + 8; ++i)
    places[i] = 0;
  // CHECK: remark: loop not interleaved: {{.*}} would split a read-modify-write
  ASYNC_LOOP(CLAUSES) {
    Window window;
    getWindow(&places[i], &window);
    addToWindow(window.values, table[table[keys[i]]]);
    putWindow(&places[i], &window);
  }
  int64_t sum = 0;
  for (int64_t i = 0; i < n + 8; ++i)
    sum = sum * 31 + places[i];
  return sum;
}

NOINLINE int64_t sumOf(const Record *record) noexcept {
  asm volatile("" ::: "memory");
  int64_t sum = 0;
  for (int64_t member : record->members)
    sum += member;
  return sum;
}

// Copied as a whole, and written in part.
NOINLINE int64_t copyAndStore(Record *all, int64_t n) {
  *all = {};
  all->members[7] = 1;
  // CHECK: remark: loop not interleaved: {{.*}} inside a read-modify-write or under a lock (line [[#@LINE+4]])
  ASYNC_LOOP(CLAUSES) {
    Record record = *all;
    int64_t value = table[table[keys[i]]];
    all->members[3] = sumOf(&record) + value;
  }
  return all->members[3];
}

NOINLINE int64_t get(const int64_t *place) noexcept {
  asm volatile("" ::: "memory");
  return *place;
}
NOINLINE void set(int64_t *place, int64_t value) noexcept {
  asm volatile("" ::: "memory");
  *place = value;
}

NOINLINE int64_t loadAndSetter(int64_t *place, int64_t n) {
  *place = 0;
  // CHECK: remark: loop not interleaved: {{.*}} in iteration order{{.*}}, so nothing is left to interleave (line [[#@LINE+2]])
  ASYNC_LOOP(CLAUSES) {
    int64_t old = *place;
    int64_t value = table[table[keys[i]]];
    set(place, old + value);
  }
  return *place;
}

NOINLINE int64_t getterAndStore(int64_t *place, int64_t n) {
  *place = 0;
  // CHECK: remark: loop not interleaved: {{.*}} inside a read-modify-write or under a lock (line [[#@LINE+4]])
  ASYNC_LOOP(CLAUSES) {
    int64_t old = get(place);
    int64_t value = table[table[keys[i]]];
    *place = old + value;
  }
  return *place;
}

NOINLINE int64_t getterAndSetter(int64_t *place, int64_t n) {
  *place = 0;
  // CHECK: remark: loop not interleaved: {{.*}} would split a read-modify-write (line [[#@LINE+3]])
  ASYNC_LOOP(CLAUSES) {
    int64_t old = get(place);
    int64_t value = table[table[keys[i]]];
    set(place, old + value);
  }
  return *place;
}

// A callee may update an object that all iterations share, as long as no update
// spans several calls.
NOINLINE void record(Record *all, int64_t value) noexcept {
  asm volatile("" ::: "memory");
  all->members[value % 40] += value;
}

NOINLINE int64_t recordedInCallees(Record *all, int64_t n) {
  *all = {};
  // CHECK: remark: interleaved the loop's iterations
  ASYNC_LOOP(CLAUSES) {
    record(all, table[keys[i]]);
    record(all, table[table[table[keys[i]]]]);
  }
  int64_t sum = 0;
  for (int64_t member : all->members)
    sum = sum * 31 + member;
  return sum;
}

int main() {
  prepare();
  static Record all;
  static int64_t place, places[Elements + 8];
  printForAllCounts("one of all", [](int64_t n) { return oneOfAll(&all, n); });
  printForAllCounts("overlapping windows",
                    [](int64_t n) { return overlappingWindows(places, n); });
  printForAllCounts("windows in callees",
                    [](int64_t n) { return windowsInCallees(places, n); });
  printForAllCounts("copy and store",
                    [](int64_t n) { return copyAndStore(&all, n); });
  printForAllCounts("load and setter",
                    [](int64_t n) { return loadAndSetter(&place, n); });
  printForAllCounts("getter and store",
                    [](int64_t n) { return getterAndStore(&place, n); });
  printForAllCounts("getter and setter",
                    [](int64_t n) { return getterAndSetter(&place, n); });
  printForAllCounts("recorded in callees",
                    [](int64_t n) { return recordedInCallees(&all, n); });
}
