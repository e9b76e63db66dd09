// A variable in memory that iterations set and also update, or update by
// several operations, keeps the order of iterations: the last one counts.
//
// RUN: %same_output

#include "../Inputs/program.h"

static int64_t place;
static int64_t *volatile hidden = &place;

static NOINLINE void add(int64_t *to, int64_t value) { *to += value; }
static NOINLINE void combine(int64_t *to, int64_t value) { *to ^= value; }
static NOINLINE void grow(int64_t *to) { *to = *to * 3 + 1; }
static NOINLINE void reset(int64_t *to) { *to = 40; }
static NOINLINE void resetPlace() { place = 41; }
static NOINLINE void addToPlace(int64_t value) { place += value; }

/// What an iteration waits for.
static int64_t gather(int64_t i) { return table[table[keys[i]]]; }

static int64_t others[Elements];

#define STATE(name)                                                            \
  static void name##Step(int64_t *known, int64_t i);                           \
  PROGRAM(name) {                                                              \
    place = 5;                                                                 \
    int64_t *known = hidden;                                                   \
    ASYNC_LOOP(CLAUSES) {                                                      \
      others[i] += gather(i);                                                  \
      name##Step(known, i);                                                    \
    }                                                                          \
    return place;                                                              \
  }                                                                            \
  static void name##Step(int64_t *known, int64_t i)

STATE(setThenAdded) {
  *known = 6816;
  others[i] += table[gather(i)];
  add(known, i);
}
STATE(addedThenSetSometimes) {
  add(known, i);
  if (gather(i) & 1)
    *known = 7;
}
STATE(setByFunctionThenAdded) {
  reset(known);
  *known += gather(i);
}
STATE(addedBesideReset) {
  *known += gather(i);
  if (keys[i] % 16 == 0)
    reset(known);
}
STATE(byName) {
  place = 11;
  others[i] += table[gather(i)];
  addToPlace(keys[i]);
}
STATE(resetByName) {
  if (gather(i) % 8 == 0)
    resetPlace();
  place += keys[i];
}
STATE(twoOperations) {
  if (gather(i) & 1)
    *known += keys[i];
  else
    *known ^= keys[i];
}
STATE(sumsAndProducts) {
  if (gather(i) & 1)
    *known += keys[i];
  else
    *known *= 3;
}
STATE(twoFunctions) {
  if (gather(i) & 1)
    add(known, keys[i]);
  else
    combine(known, keys[i]);
}
STATE(functionAndOperation) {
  *known += gather(i);
  if (keys[i] & 1)
    combine(known, i);
}
STATE(oneOfTwoValues) {
  if (gather(i) & 1)
    *known = 1;
  else
    *known = 2;
}
STATE(setAndGrown) {
  if (gather(i) & 1)
    *known = 1;
  grow(known);
}
STATE(mostAndSum) {
  const int64_t value = gather(i);
  if (*known < value)
    *known = value;
  if (keys[i] % 4 == 0)
    *known += keys[i];
}

// These may be updated in any order.
STATE(oneOperation) {
  *known += gather(i);
  add(known, keys[i]);
}
STATE(oneValue) {
  if (gather(i) & 1)
    *known = 1;
}

int main() {
  prepare();
  printPrograms();
  int64_t sum = 0;
  for (int64_t value : others)
    sum = sum * 31 + value;
  printf("%lld\n", (long long)sum);
}
