// Functions that never return, but throw what the iteration catches: what they
// do before is part of it.
//
// RUN: %same_output

#include "../Inputs/program.h"

#include <string.h>

enum { Places = 8 };
static int64_t taken[Places], claims;

[[noreturn]] NOINLINE static void takeAndThrow(int64_t place) {
  taken[place] = 1;
  ++claims;
  throw place;
}
NOINLINE static void take(int64_t place, int64_t x) {
  if (x >= 0)
    takeAndThrow(place);
}
[[noreturn]] NOINLINE static void addAndThrow(int64_t place) {
  taken[place]++;
  ++claims;
  throw place;
}
NOINLINE static void add(int64_t place, int64_t x) {
  if (x >= 0)
    addAndThrow(place);
}

/// A loop whose iterations choose a place, and do \p Something if \p Test says
/// so, with a number \p x that takes long to find.
#define CAUGHT(name, Test, Something)                                          \
  PROGRAM(name) {                                                              \
    memset(taken, 0, sizeof taken);                                            \
    claims = 0;                                                                \
    ASYNC_LOOP(CLAUSES) {                                                      \
      const int64_t place = keys[i] % Places;                                  \
      if (Test) {                                                              \
        const int64_t x = table[table[(i * 5 + place) % Elements]];            \
        try {                                                                  \
          Something;                                                           \
        } catch (int64_t) {                                                    \
        }                                                                      \
      }                                                                        \
    }                                                                          \
    int64_t sum = claims;                                                      \
    for (const int64_t value : taken)                                          \
      sum = sum * 31 + value;                                                  \
    return sum;                                                                \
  }

CAUGHT(takenOnce, !taken[place], take(place, x))
CAUGHT(addedUpTo, taken[place] < 9, add(place, x))

int main() {
  prepare();
  printPrograms();
}
