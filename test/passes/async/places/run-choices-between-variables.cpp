// Iterations that choose one of few variables, between pointers, members of an
// object or elements of a small array: the variables keep their order.
//
// RUN: %same_output -fno-exceptions | FileCheck %s
// CHECK-COUNT-24: remark: interleaved the loop's iterations

#include "../Inputs/appended.h"

#include <initializer_list>

struct Variables {
  int64_t *first, *second, *third;
  Variables *up;
  int64_t value, other;
  int64_t *all[4];
};
static int64_t a, b, c, global;
static int64_t few[4];
static int64_t *tableOfFew[4] = {&a, &b, &c, &a};
static Variables inner, outer;

static Variables &fresh() {
  a = b = c = global = 1;
  for (int64_t &value : few)
    value = 2;
  outer = {&a, &b, &c, nullptr, 3, 4, {&a, &b, &c, &a}};
  inner = outer;
  inner.up = &outer;
  for (int64_t k = 0; k < Elements; ++k)
    out[k] = 0;
  return known(inner);
}
static int64_t state(int64_t n) {
  int64_t sum = sumOf(out, n) + global;
  for (int64_t value : {a, b, c, inner.value, inner.other, outer.value,
                        outer.other, few[0], few[1], few[2], few[3]})
    sum = sum * 31 + value;
  return sum;
}

#define CHOICE(name, ...)                                                      \
  PROGRAM(name) {                                                              \
    Variables &v = fresh();                                                    \
    ASYNC_LOOP(CLAUSES) {                                                      \
      int64_t x = table[table[keys[i]]];                                       \
      __VA_ARGS__                                                              \
    }                                                                          \
    (void)v;                                                                   \
    return state(n);                                                           \
  }
#define WRITE_BOTH                                                             \
  if (x & 4)                                                                   \
    *v.first = x;                                                              \
  if (x & 8)                                                                   \
    *v.second = -x;

CHOICE(read, if (x & 1) out[i] = *(x & 2 ? v.first : v.second); WRITE_BOTH)
CHOICE(readAlways, out[i] = *(x & 2 ? v.first : v.second); WRITE_BOTH)
CHOICE(ofThree,
       int64_t *place = x % 3 ? x % 3 == 1 ? v.second : v.third : v.first;
       out[i] = *place; WRITE_BOTH)
CHOICE(oneIsWritten, out[i] = *(x & 2 ? v.first : v.second);
       if (x & 4) *v.first = x;)
CHOICE(write, *(x & 2 ? v.first : v.second) = x; out[i] = *v.first;)
CHOICE(update, int64_t &place = x & 2 ? *v.first : *v.second;
       place = place * 3 + x;)
CHOICE(other, bool isFirst = x & 1;
       if (x & 4) * (isFirst ? v.first : v.second) = x;
       out[i] = *(isFirst ? v.second : v.first);)
CHOICE(indexed, out[i] = *v.all[x & 3]; WRITE_BOTH)
CHOICE(twoTables, out[i] = *(x & 2 ? tableOfFew[x & 1] : v.all[x >> 2 & 1]);
       *v.second = x; if (x & 1) * tableOfFew[2] = x;)
CHOICE(byTable, if (x & 1) * tableOfFew[x & 3] = x; if (x & 4) out[i] = a;)
CHOICE(globalOr, out[i] = *(x & 2 ? &global : v.second); if (x & 4) global = x;
       if (x & 8) *v.second = -x;)
CHOICE(member, out[i] = x & 2 ? v.value : v.other; if (x & 4) v.value = x;
       if (x & 8) v.other = -x;)
CHOICE(memberSet, (x & 2 ? v.value : v.other) = x; out[i] = v.value;)
CHOICE(object, Variables *of = x & 2 ? v.up : &v; of->value = of->value * 3 + x;
       out[i] = outer.value;)
CHOICE(element, if (x & 1) out[i] = few[x & 1]; if (x & 4) few[0] = x;
       if (x & 8) few[1] = -x;)
CHOICE(elementOfFour, if (x & 1) out[i] = few[x % 3]; if (x & 4) few[0] = x;)
CHOICE(otherElement, few[x & 1] = x; x += table[x]; out[i] = few[(x & 1) ^ 1];)
CHOICE(counted, if (x & 1)++ *(x & 2 ? v.first : v.second);
       out[*(x & 4 ? v.first : v.second) & 1023] = i;)
// Updates that commute, beside a read that does not.
CHOICE(countedBefore, if (x & 4)++ *v.first; if (x & 8) *v.second += 2;
       x += table[x]; if (x & 1) out[i] = *(x & 2 ? v.first : v.second);)
CHOICE(addedAndMasked, if (x & 4) few[1] += 5; x += table[x]; few[x & 3] ^= x;)
CHOICE(setToTwoValues, if (x & 4) *v.first = 1; x += table[x];
       if (x & 1) * (x & 2 ? v.first : v.second) = 2;)
// Reads in every iteration, in front of the write.
CHOICE(readFirst, out[i] = *v.first;
       if (x & 4) * (x & 8 ? v.first : v.second) = x;)
CHOICE(readByName, out[i] = a; if (x & 4) * (x & 8 ? v.first : v.second) = x;)
CHOICE(copied, if (x & 8) memcpy(x & 1 ? v.first : v.second, &table[x], 8);
       x += table[x]; out[i] = *v.first;)

int main() {
  prepare();
  printPrograms();
}
