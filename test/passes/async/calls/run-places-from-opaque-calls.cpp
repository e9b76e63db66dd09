// Calls of which nothing is known choose the place where they note something,
// and the iteration reads it later: buffers used in turn, records of a pool. A
// table that such a call cannot know is searched as ever.
//
// RUN: %same_output -fno-exceptions | FileCheck %s
// CHECK: remark: interleaved

#include "../Inputs/program.h"

struct Record {
  int64_t key, value;
};
struct Place {
  int row, column;
};
struct Table {
  Record *records;
  int64_t used;
};
int64_t ring[8], *ringBehindPointer = ring;
int64_t grid[2][8];
Record pool[8], *recordAt[8];
static int64_t own[8];
static int at;

static int step() { return at = (at + 1) & 7; }

// The compiler does not see which functions these are.
static int note(int64_t x) {
  int place = step();
  ring[place] = x * x + 1;
  own[place] = 3 * x;
  return place;
}
static void noteThere(int64_t x, int *place) { *place = note(x); }
static Place notePair(int64_t x) {
  int place = step();
  grid[1][place] = x + 7;
  return {1, place};
}
static int64_t noteScaled(int64_t x) {
  int place = step();
  recordAt[place]->value = 5 * x;
  return 8 * place + 3;
}
static int noteIn(Table *t, int64_t x) {
  int place = step();
  t->records[place] = {x, x * x};
  return place;
}
static int64_t claim(Table *t, int64_t key, bool *isNew) {
  int64_t place = scramble(key) % Elements;
  while (t->records[place].key && t->records[place].key != key + 1)
    place = (place + 1) % Elements;
  *isNew = !t->records[place].key;
  t->records[place].key = key + 1;
  t->used += *isNew;
  return place;
}
static int64_t hash(int64_t key) { return scramble(key); }
static int (*volatile opaqueNote)(int64_t) = note;
static void (*volatile opaqueNoteThere)(int64_t, int *) = noteThere;
static Place (*volatile opaqueNotePair)(int64_t) = notePair;
static int64_t (*volatile opaqueNoteScaled)(int64_t) = noteScaled;
static int (*volatile opaqueNoteIn)(Table *, int64_t) = noteIn;
static int64_t (*volatile opaqueClaim)(Table *, int64_t, bool *) = claim;
static int64_t (*volatile opaqueHash)(int64_t) = hash;

static int64_t out[Elements];

static int64_t digest() {
  uint64_t all = 0;
  for (int64_t i = 0; i < Elements; ++i)
    all = scramble(all ^ out[i]);
  return all;
}

static int64_t chain(int64_t key) {
  const Node *p = buckets[scramble(key) % Buckets];
  while (p && p->key != key)
    p = p->next;
  return p ? p->value : -1;
}

/// A loop whose iterations choose a place by a call, follow a chain, and read
/// what has been noted there.
#define CHOSEN(name, function, choose, noted)                                  \
  PROGRAM(name) {                                                              \
    auto *place = function;                                                    \
    for (int i = 0; i < 8; ++i)                                                \
      recordAt[i] = &pool[i];                                                  \
    _Pragma("omp parallel for num_threads(1)")                                 \
        _Pragma("heddle async") for (int64_t i = 0; i < n; ++i) {              \
      choose;                                                                  \
      const int64_t value = chain(keys[i]);                                    \
      out[i] = noted + value;                                                  \
    }                                                                          \
    return digest();                                                           \
  }

CHOSEN(returned, opaqueNote, const int there = place(i), ring[there])
CHOSEN(behindPointer, opaqueNote, const int there = place(i),
       ringBehindPointer[there])
CHOSEN(inOwnFile, opaqueNote, const int there = place(i), own[there])
CHOSEN(leftInVariable, opaqueNoteThere, int there;
       place(i, &there), ring[there])
CHOSEN(pairOfNumbers, opaqueNotePair, const Place there = place(i),
       grid[there.row][there.column])
CHOSEN(recordBehindPointer, opaqueNoteScaled, const int64_t there = place(i),
       recordAt[there / 8]->value)

static void fillFromTable(Table *t, int64_t n) {
  auto *place = opaqueNoteIn;
#pragma omp parallel for num_threads(1)
#pragma heddle async
  for (int64_t i = 0; i < n; ++i) {
    const int there = place(t, i);
    const int64_t value = chain(keys[i]);
    out[i] = t->records[there].key + t->records[there].value + value;
  }
}

PROGRAM(tableHandedOn) {
  static Record records[8];
  Table t = {records, 0};
  fillFromTable(&t, n);
  return digest();
}

static Record claimed[Elements];

static void fillClaimed(Table *t, int64_t n) {
  auto *place = opaqueClaim;
#pragma omp parallel for num_threads(1)
#pragma heddle async
  for (int64_t i = 0; i < n; ++i) {
    bool isNew;
    const int64_t there = place(t, keys[i] % 100, &isNew);
    const int64_t value = chain(keys[i]);
    if (isNew)
      t->records[there].value = 5;
    t->records[there].value += value;
  }
}

PROGRAM(claimedThenFilledIn) {
  for (Record &r : claimed)
    r = {0, 0};
  Table t = {claimed, 0};
  fillClaimed(&t, n);
  uint64_t all = t.used;
  for (const Record &r : claimed)
    all = scramble(all ^ r.value);
  return all;
}

// Nothing is noted: the table is the function's own.
PROGRAM(hashedOnly) {
  auto *number = opaqueHash;
  Node **volatile hidden = buckets;
  Node **table = hidden;
#pragma omp parallel for num_threads(1)
#pragma heddle async
  for (int64_t i = 0; i < n; ++i) {
    const Node *p = table[uint64_t(number(keys[i])) % Buckets];
    while (p && p->key != keys[i])
      p = p->next;
    out[i] = p ? p->value : -1;
  }
  return digest();
}

int main() {
  prepare();
  printPrograms();
}
