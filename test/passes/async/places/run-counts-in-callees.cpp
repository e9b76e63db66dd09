// Functions that count in a member or behind a pointer, where the loop or
// another function reads the count by the same or by another name: each
// iteration sees what the serial loop would show it.
//
// RUN: %same_output -fno-exceptions | FileCheck %s
// CHECK-COUNT-28: remark: interleaved the loop's iterations

#include "../Inputs/appended.h"

#include <algorithm>

struct Counts {
  int64_t before[3];
  int64_t hits, misses;
  int64_t *where;
  Counts *next;
  int32_t small;
  int64_t all[2];
};
static int64_t a, b;
static int64_t few[4];
static Counts one, two;

static Counts &fresh() {
  a = b = 1;
  for (int64_t &value : few)
    value = 2;
  one = {{1, 2, 3}, 4, 5, &a, &two, 6, {7, 8}};
  two = {{1, 2, 3}, 14, 15, &b, &one, 16, {17, 18}};
  return known(one);
}

NOINLINE static void hit(Counts &c) { ++c.hits; }
NOINLINE static void add(Counts &c, int64_t x) { c.hits += x; }
NOINLINE static void raise(Counts &c, int64_t x) {
  c.hits = std::max(c.hits, x);
}
NOINLINE static void either(Counts &c, int64_t x) {
  ++(x & 1 ? c.hits : c.misses);
}
NOINLINE static void element(Counts &c, int64_t x) { ++c.all[x & 1]; }
NOINLINE static void ofNext(Counts &c) { ++c.next->hits; }
NOINLINE static void where(Counts &c) { ++*c.where; }
NOINLINE static void inside(Counts &c, int64_t x) {
  if (x & 16)
    hit(c);
}
NOINLINE static void countAt(int64_t *place) { ++*place; }
NOINLINE static void countFew(int64_t x) { ++few[x & 3]; }
NOINLINE static int64_t hitsOf(Counts &c) { return c.hits; }
NOINLINE static int64_t missesOf(Counts &c) { return c.misses; }
NOINLINE static int64_t eitherOf(Counts &c, int64_t x) {
  return x & 2 ? c.hits : c.misses;
}
NOINLINE static int64_t elementOf(Counts &c, int64_t x) { return c.all[x & 1]; }
NOINLINE static int64_t hitsOfNext(Counts &c) { return c.next->hits; }
NOINLINE static int64_t valueThere(Counts &c) { return *c.where; }
NOINLINE static int64_t insideOf(Counts &c) { return hitsOf(c) + 1; }
NOINLINE static bool areMany(Counts &c) { return c.hits > 100; }
NOINLINE static int64_t copied(Counts &c) {
  Counts copy = c;
  return known(copy).hits;
}
NOINLINE static int64_t valueAt(const int64_t *place) { return *place; }
NOINLINE static int64_t fewAt(int64_t x) { return few[x & 3]; }

#define COUNT(name, count, ...)                                                \
  PROGRAM(name) {                                                              \
    Counts &c = fresh();                                                       \
    ASYNC_LOOP(CLAUSES) {                                                      \
      int64_t x = table[table[keys[i]]];                                       \
      if (x & 8)                                                               \
        count;                                                                 \
      x += table[x];                                                           \
      __VA_ARGS__                                                              \
    }                                                                          \
    int64_t sum = sumOf(out, n) + a + b * 3;                                   \
    for (const Counts *of : {&one, &two})                                      \
      sum = sum * 31 + of->hits + of->misses * 3 + of->small * 5 +             \
            of->all[0] * 7 + of->all[1] * 11;                                  \
    return sum + c.hits + sumOf(few, 4);                                       \
  }

COUNT(member, hit(c), out[i] = hitsOf(c);)
COUNT(memberSum, add(c, x), if (x & 1) out[i] = hitsOf(c);)
COUNT(memberMost, raise(c, x), out[i] = hitsOf(c);)
COUNT(memberBit, inside(c, x), out[i] = insideOf(c);)
COUNT(memberDecides, hit(c), if (areMany(c)) out[i] = x;)
COUNT(memberCopied, hit(c), out[i] = copied(c);)
COUNT(memberOfChosen, hit(x & 1 ? c : *c.next), out[i] = hitsOf(c);)
COUNT(eitherMember, either(c, x), out[i] = missesOf(c);)
COUNT(eitherTold, either(c, x), out[i] = eitherOf(c, x);)
COUNT(elements, element(c, x), out[i] = elementOf(c, 0);)
COUNT(elementsTold, element(c, x), out[i] = elementOf(c, x);)
COUNT(behindPointer, ofNext(c), out[i] = hitsOfNext(c);)
COUNT(behindPointerNamed, ofNext(c), out[i] = two.hits;)
COUNT(thereTold, where(c), out[i] = valueThere(c);)
COUNT(thereNamed, where(c), out[i] = a;)
COUNT(handed, countAt(&c.hits), out[i] = hitsOf(c);)
COUNT(handedElement, countAt(&few[x & 1]), out[i] = valueAt(&few[1]);)
COUNT(handedNamed, countAt(&a), out[i] = *c.where;)
COUNT(ofFew, countFew(x), out[i] = fewAt(x);)

// The loop counts, a function tells.
COUNT(loopMember, c.hits++, out[i] = hitsOf(c);)
COUNT(loopMemberSum, c.hits += x, if (x & 4) out[i] = insideOf(c);)
COUNT(loopElement, c.all[x & 1]++, out[i] = elementOf(c, 0);)
COUNT(loopFew, few[x & 1]++, out[i] = fewAt(x);)
COUNT(loopNext, c.next->hits++, out[i] = hitsOfNext(c);)
COUNT(loopThere, ++*c.where, out[i] = valueThere(c);)
COUNT(loopEither, ++(x & 1 ? c.hits : c.misses), out[i] = eitherOf(c, x);)
// The loop counts, and reads by another name.
COUNT(loopThereNamed, ++*c.where, out[i] = a;)
COUNT(loopNamed, a++, out[i] = *c.where;)

int main() {
  prepare();
  printPrograms();
}
