// Functions that write, count or find one of few variables: what the loop and
// other functions read of these keeps the order.
//
// RUN: %same_output -fno-exceptions | FileCheck %s
// CHECK: remark: interleaved the loop's iterations

#include "../Inputs/appended.h"

struct Variables {
  int64_t *first, *second;
};
static int64_t a, b, global, other;
static int64_t few[4];
static int64_t *tableOfFew[2] = {&a, &b};
static Variables variables;

static Variables &fresh() {
  a = b = global = other = 1;
  for (int64_t &value : few)
    value = 2;
  variables = {&a, &b};
  return known(variables);
}

NOINLINE static void put(int64_t *place, int64_t x) { *place = x; }
NOINLINE static void count(int64_t *place) { ++*place; }
NOINLINE static int64_t take(int64_t *place) { return *place; }
NOINLINE static void set(Variables &v, int64_t x) {
  *(x & 2 ? v.first : v.second) = x;
}
NOINLINE static void setGlobal(int64_t x) { *(x & 2 ? &global : &other) = x; }
NOINLINE static void setElement(int64_t x) { few[x & 1] = x; }
NOINLINE static int64_t get(Variables &v, int64_t x) {
  return *(x & 2 ? v.first : v.second);
}
NOINLINE static int64_t getElement(int64_t x) { return few[x & 1]; }
NOINLINE static int64_t &find(Variables &v, int64_t x) {
  return *(x & 2 ? v.first : v.second);
}
NOINLINE static int64_t &findGlobal(int64_t x) {
  return x & 2 ? global : other;
}

#define CHOICE(name, ...)                                                      \
  PROGRAM(name) {                                                              \
    Variables &v = fresh();                                                    \
    ASYNC_LOOP(CLAUSES) {                                                      \
      int64_t x = table[table[keys[i]]];                                       \
      __VA_ARGS__                                                              \
    }                                                                          \
    (void)v;                                                                   \
    return sumOf(out, n) + a + b * 3 + global * 5 + other * 7 + few[0] * 11 +  \
           few[1] * 13;                                                        \
  }
CHOICE(putByPointer, if (x & 8) put(x & 1 ? v.first : v.second, x);
       x += table[x]; out[i] = *(x & 1 ? v.first : v.second);)
CHOICE(putElement, if (x & 8) put(&few[x & 1], x); x += table[x];
       out[i] = few[x & 1];)
CHOICE(putByTable, if (x & 8) put(tableOfFew[x & 1], x); x += table[x];
       out[i] = a;)
CHOICE(putAndTake, if (x & 8) put(tableOfFew[x & 1], x); x += table[x];
       out[i] = take(v.first);)
CHOICE(countGlobal, if (x & 4) count(&global); x += table[x]; out[i] = global;)
CHOICE(countEither, if (x & 4) count(x & 1 ? v.first : v.second); x += table[x];
       out[i] = *v.first;)
CHOICE(setEither, if (x & 8) set(v, x); x += table[x]; out[i] = *v.first;)
CHOICE(setGlobals, if (x & 8) setGlobal(x); x += table[x]; out[i] = global;)
CHOICE(setElements, if (x & 8) setElement(x); x += table[x]; out[i] = few[0];)
CHOICE(setAndGet, if (x & 8) set(v, x); x += table[x]; out[i] = get(v, x);)
CHOICE(setAndGetElement, if (x & 8) setElement(x); x += table[x];
       out[i] = getElement(x);)
CHOICE(foundAndSet, if (x & 8) find(v, x) = x; x += table[x];
       out[i] = find(v, x);)
CHOICE(foundAndUpdated, int64_t &place = findGlobal(x); place = place * 3 + x;)

int main() {
  prepare();
  printPrograms();
}
