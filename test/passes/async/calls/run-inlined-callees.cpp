// Functions that LLVM would leave calls, and that are inlined into the loop
// because they wait: searches, insertions, updates, and what they throw away.
//
// RUN: %same_output -fno-exceptions | FileCheck %s
// CHECK-COUNT-7: remark: interleaved

#include "../Inputs/program.h"

#define TWICE(X) X X
#define MANY(X) TWICE(TWICE(TWICE(TWICE(X))))

/// More than LLVM's threshold.
#define LARGE(X) MANY(X = scramble(X ^ key);)

static int64_t chain(int64_t key, int64_t salt) {
  const Node *p = buckets[scramble(key) % Buckets];
  while (p && p->key != key)
    p = p->next;
  if (!p)
    return salt;
  LARGE(salt)
  return salt + p->value;
}

PROGRAM(searches) {
  int64_t found = 0;
#pragma heddle async
  for (int64_t i = 0; i < n; ++i)
    found += chain(keys[i], i);
  return found;
}

PROGRAM(searchesTwice) {
  int64_t found = 0;
#pragma heddle async
  for (int64_t i = 0; i < n; ++i)
    if (chain(keys[i], i) % 3)
      found += chain(table[i], found & 0);
  return found + chain(1, n) + chain(2, n);
}

static int64_t outer(int64_t key, int64_t salt) {
  LARGE(salt)
  return chain(key, salt) + chain(table[key], ~salt);
}

PROGRAM(throughTwoFunctions) {
  int64_t found = 0;
#pragma heddle async
  for (int64_t i = 0; i < n; ++i)
    found ^= outer(keys[i], i);
  return found + outer(1, n) + outer(2, n);
}

static int64_t counts[Elements], sums[Elements];

static void clear() {
  for (int64_t i = 0; i < Elements; ++i)
    counts[i] = sums[i] = 0;
}

static int64_t digest() {
  uint64_t all = 0;
  for (int64_t i = 0; i < Elements; ++i)
    all = scramble(all ^ counts[i]) + sums[i];
  return all;
}

/// An update whose two halves are far apart.
static void update(int64_t key) {
  const int64_t place = table[table[key]] % 64;
  int64_t count = counts[place];
  int64_t add = place;
  LARGE(add)
  counts[place] = count + 1;
  sums[place] += add % 1000;
}

PROGRAM(updates) {
  clear();
#pragma heddle async
  for (int64_t i = 0; i < n; ++i)
    update(keys[i]);
  update(n % 10);
  return digest();
}

static int64_t noted;

static void note(int64_t key) {
  int64_t value = table[table[key]];
  LARGE(value)
  noted = value;
}

static int64_t useNote(int64_t key) {
  int64_t value = noted;
  LARGE(value)
  return value + table[table[table[key]]];
}

// No other iteration notes anything in between.
PROGRAM(notes) {
  uint64_t sum = 0;
#pragma heddle async
  for (int64_t i = 0; i < n; ++i) {
    note(keys[i]);
    sum += useNote(keys[i]);
  }
  note(n % 10);
  return sum + useNote(n % 7);
}

static int64_t withLocals(int64_t key, int64_t salt) {
  int64_t places[8];
  for (int64_t i = 0; i < 8; ++i)
    places[i] = table[(key + i * salt) % Elements];
  int64_t sum = 0;
  for (int64_t i = 0; i < 8; ++i)
    sum += table[places[(i * 3 + salt) & 7]];
  LARGE(sum)
  return sum;
}

PROGRAM(localsOfCallees) {
  int64_t sum = 0;
#pragma heddle async scheduler(lockstep)
  for (int64_t i = 0; i < n; ++i)
    sum += withLocals(keys[i], i & 15);
  return sum + withLocals(1, 1) + withLocals(2, 3);
}

static int64_t early(int64_t key, int64_t limit) {
  int64_t steps = 0;
  for (int64_t at = key;; at = table[at]) {
    if (at < limit)
      return steps;
    if (++steps == 12)
      break;
  }
  LARGE(steps)
  return steps;
}

PROGRAM(returnsEarly) {
  int64_t sum = 0;
#pragma heddle async
  for (int64_t i = 0; i < n; ++i)
    sum += early(keys[i], Elements / 8);
  return sum + early(1, 5) + early(2, 3);
}

int main() {
  prepare();
  printPrograms();
}
