// Read-modify-writes of memory whose address a function is not passed directly:
// global variables, targets of pointers in an object, and arguments that pass
// through several functions. No iteration's addition is lost.
//
// RUN: %same_output | FileCheck %s

#include "../Inputs/program.h"
#include <atomic>
#include <string.h>

#define BARRIER asm volatile("" ::: "memory")
#define CALLEE NOINLINE static

enum { Places = 8 };

static int64_t total;
static std::atomic<int64_t> atomicTotal;
static int64_t counts[Places], sums[Places];
struct Tables {
  int64_t size, *counts, *sums;
};
static Tables tables = {Places, counts, sums};

static int64_t valueOf(int64_t i) { return table[table[keys[i]]]; }

CALLEE int64_t get() noexcept {
  BARRIER;
  return total;
}
CALLEE void set(int64_t value) noexcept {
  BARRIER;
  total = value;
}
NOINLINE void getterAndSetter(int64_t n) {
  // CHECK: remark: loop not interleaved: {{.*}} read-modify-write
  ASYNC_LOOP(CLAUSES) {
    int64_t old = get();
    set(old + valueOf(i));
  }
}
NOINLINE void loadAndSetter(int64_t n) {
  // CHECK: remark: loop not interleaved:
  ASYNC_LOOP(CLAUSES) {
    int64_t old = total;
    set(old + valueOf(i));
  }
}
NOINLINE void getterAndStore(int64_t n) {
  // CHECK: remark: loop not interleaved: {{.*}} read-modify-write
  ASYNC_LOOP(CLAUSES) {
    int64_t old = get();
    total = old + valueOf(i);
  }
}

CALLEE int64_t getAtomic() noexcept { return atomicTotal; }
CALLEE void setAtomic(int64_t value) noexcept { atomicTotal = value; }
NOINLINE void atomics(int64_t n) {
  // CHECK: remark: loop not interleaved: {{.*}} read-modify-write
  ASYNC_LOOP(CLAUSES) {
    int64_t old = getAtomic();
    setAtomic(old + valueOf(i));
  }
}

CALLEE void getInto(int64_t *value, const Tables *from, int64_t k) noexcept {
  BARRIER;
  *value = from->counts[k];
}
CALLEE void setFrom(const int64_t *value, Tables *to, int64_t k) noexcept {
  BARRIER;
  to->counts[k] = *value;
}
NOINLINE void throughLocals(Tables *all, int64_t n) {
  // CHECK: remark: loop not interleaved: {{.*}} read-modify-write
  ASYNC_LOOP(CLAUSES) {
    int64_t value;
    getInto(&value, all, keys[i] % Places);
    value += valueOf(i);
    setFrom(&value, all, keys[i] % Places);
  }
}

struct Place {
  Tables *in;
  int64_t k;
  NOINLINE int64_t get() const noexcept {
    BARRIER;
    return in->counts[k];
  }
  NOINLINE void set(int64_t value) const noexcept {
    BARRIER;
    in->counts[k] = value;
  }
};
NOINLINE void localHandles(int64_t n) {
  // CHECK: remark: loop not interleaved: {{.*}} read-modify-write
  ASYNC_LOOP(CLAUSES) {
    Place place{&tables, keys[i] % Places};
    int64_t old = place.get();
    place.set(old + valueOf(i));
  }
}

CALLEE int64_t getBehind(int64_t *const *pointer, int64_t k) noexcept {
  BARRIER;
  return (*pointer)[k];
}
CALLEE void setBehind(int64_t **pointer, int64_t k, int64_t value) noexcept {
  BARRIER;
  (*pointer)[k] = value;
}
CALLEE int64_t getCount(int64_t k) noexcept {
  return getBehind(&tables.counts, k);
}
CALLEE void setCount(int64_t k, int64_t value) noexcept {
  setBehind(&tables.counts, k, value);
}
CALLEE void setSum(int64_t k, int64_t value) noexcept {
  setBehind(&tables.sums, k, value);
}
NOINLINE void passedOn(int64_t n) {
  // CHECK: remark: loop not interleaved: {{.*}} read-modify-write
  ASYNC_LOOP(CLAUSES) {
    int64_t old = getCount(keys[i] % Places);
    setCount(keys[i] % Places, old + valueOf(i));
  }
}

CALLEE int64_t recursiveGet(int64_t depth) noexcept {
  BARRIER;
  return depth ? recursiveGet(depth - 1) : total;
}
CALLEE void recursiveSet(int64_t depth, int64_t value) noexcept {
  BARRIER;
  if (depth)
    recursiveSet(depth - 1, value);
  else
    total = value;
  BARRIER;
}
NOINLINE void recursion(int64_t n) {
  // CHECK: remark: loop not interleaved: {{.*}} read-modify-write
  ASYNC_LOOP(CLAUSES) {
    int64_t old = recursiveGet(3);
    recursiveSet(3, old + valueOf(i));
  }
}

CALLEE void copyBack(const int64_t *copy) noexcept {
  BARRIER;
  memcpy(counts, copy, sizeof counts);
}
NOINLINE void copies(int64_t n) {
  // CHECK: remark: loop not interleaved: {{.*}} read-modify-write
  ASYNC_LOOP(CLAUSES) {
    int64_t copy[Places];
    memcpy(copy, counts, sizeof copy);
    BARRIER;
    copy[keys[i] % Places] += valueOf(i);
    copyBack(copy);
  }
}

// How many different keys there are: data does not go from one function to the
// other, but control depends on it.
CALLEE bool isCounted(int64_t k) noexcept {
  BARRIER;
  return counts[k];
}
CALLEE void markCounted(int64_t k) noexcept {
  BARRIER;
  counts[k] = 1;
}
NOINLINE void checkThenAct(int64_t n) {
  int64_t different = 0;
  // CHECK: remark: loop not interleaved: {{.*}} read-modify-write
  ASYNC_LOOP(CLAUSES) {
    if (isCounted(keys[i] % Places))
      continue;
    different += 1 + (valueOf(i) < 0);
    markCounted(keys[i] % Places);
  }
  total = different;
}

// Whole in themselves, or of different objects: nothing is split.
CALLEE void addToTotal(int64_t value) noexcept {
  BARRIER;
  total += value;
}
NOINLINE void wholeUpdates(int64_t n) {
  // CHECK: remark: interleaved the loop's iterations
  ASYNC_LOOP(CLAUSES) {
    addToTotal(1);
    addToTotal(valueOf(i));
  }
}
NOINLINE void differentObjects(int64_t n) {
  // CHECK: remark: interleaved the loop's iterations
  ASYNC_LOOP(CLAUSES) {
    int64_t zero = getCount(keys[i] % Places);
    setSum(keys[i] % Places, zero + (valueOf(i) < 0));
  }
}

// CHECK-NOT: interleaved

template <class Function> void print(const char *name, Function function) {
  printForAllCounts(name, [&](int64_t n) {
    total = 0;
    atomicTotal = 0;
    memset(counts, 0, sizeof counts);
    memset(sums, 0, sizeof sums);
    function(n);
    int64_t sum = total + 3 * atomicTotal;
    for (int64_t k = 0; k < Places; ++k)
      sum = sum * 31 + counts[k] + 7 * sums[k];
    return sum;
  });
}

int main() {
  prepare();
  print("getter and setter", getterAndSetter);
  print("load and setter", loadAndSetter);
  print("getter and store", getterAndStore);
  print("atomics", atomics);
  print("through locals", [](int64_t n) { throughLocals(&tables, n); });
  print("local handles", localHandles);
  print("passed on", passedOn);
  print("recursion", recursion);
  print("copies", copies);
  print("check, then act", checkThenAct);
  print("whole updates", wholeUpdates);
  print("different objects", differentObjects);
}
