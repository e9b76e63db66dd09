// Updates of memory are lost if a suspension separates the load from the store.
//
// RUN: %same_output | FileCheck %s
// CHECK-NOT: not interleaved
// CHECK-COUNT-8: interleaved the loop's iterations
// CHECK-NOT: interleaved

#include "../Inputs/program.h"

// Few enough places that iterations in flight meet at one, in memory that is
// not known to be small.
enum { Places = 8 };
static int64_t *const histogram = new int64_t[Elements];

static void clear() {
  for (int64_t i = 0; i < Elements; ++i)
    histogram[i] = i;
}

static int64_t histogramSum() {
  int64_t sum = 0;
  for (int64_t i = 0; i < Elements; ++i)
    sum = sum * 31 + histogram[i];
  return sum;
}

PROGRAM(addition) {
  clear();
  ASYNC_LOOP(CLAUSES)
    histogram[table[table[keys[i]]] % Places] += i;
  return histogramSum();
}

// The addend is itself waited for, between the load and the store as they are
// written.
NOINLINE int64_t additionOfGathered(int64_t *places, int64_t n) {
  clear();
  ASYNC_LOOP(CLAUSES) {
    int64_t &place = places[table[keys[i]] % Places];
    int64_t old = place;
    place = old + table[table[table[i]]];
  }
  return histogramSum();
}

// The update is in another block than the load.
NOINLINE int64_t conditional(int64_t *places, int64_t n) {
  clear();
  ASYNC_LOOP(CLAUSES) {
    int64_t &place = places[table[keys[i]] % Places];
    int64_t old = place;
    if (table[table[i]] & 1)
      place = old + 1;
    else if (table[table[table[i]]] & 2)
      place = old + i;
  }
  return histogramSum();
}

// In an inner loop, whose requests go out in blocks.
NOINLINE int64_t inInnerLoop(int64_t *places, int64_t n) {
  clear();
  ASYNC_LOOP(CLAUSES)
    for (int64_t j = 0; j < (table[i] & 31); ++j)
      places[table[keys[(i + j) % Elements]] % Places] += j;
  return histogramSum();
}

// One object, two members.
struct Account {
  int64_t balance, transactions;
};
static Account *const accounts = new Account[Elements];

PROGRAM(members) {
  for (int64_t i = 0; i < Elements; ++i)
    accounts[i] = {i, 0};
  ASYNC_LOOP(CLAUSES) {
    Account &account = accounts[table[table[keys[i]]] % Places];
    account.balance += i;
    account.transactions++;
  }
  int64_t sum = 0;
  for (int64_t i = 0; i < Elements; ++i)
    sum = sum * 31 + accounts[i].balance * 7 + accounts[i].transactions;
  return sum;
}

// Two places of one array, which may be the same: money moves.
PROGRAM(transfer) {
  clear();
  ASYNC_LOOP(CLAUSES) {
    int64_t &from = histogram[table[keys[i]] % Places];
    int64_t &to = histogram[table[table[i]] % Places];
    from -= i;
    to += i;
  }
  return histogramSum();
}

// The update is completed by a function.
NOINLINE void increment(int64_t *place, int64_t by) noexcept { *place += by; }

PROGRAM(byFunction) {
  clear();
  ASYNC_LOOP(CLAUSES)
    increment(&histogram[table[table[keys[i]]] % Places], i);
  return histogramSum();
}

PROGRAM(atomically) {
  clear();
  int64_t swapped = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t *place = &histogram[table[table[keys[i]]] % Places];
    __atomic_fetch_add(place, i, __ATOMIC_RELAXED);
    int64_t expected = __atomic_load_n(place, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(place, &expected, expected ^ i, false,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      ;
    __atomic_fetch_xor(place, i, __ATOMIC_RELAXED);
    ++swapped;
  }
  return histogramSum() + swapped;
}

int main() {
  prepare();
  printPrograms();
  printForAllCounts("addition of gathered",
                    [](int64_t n) { return additionOfGathered(histogram, n); });
  printForAllCounts("conditional",
                    [](int64_t n) { return conditional(histogram, n); });
  printForAllCounts("in inner loop",
                    [](int64_t n) { return inInnerLoop(histogram, n); });
}
