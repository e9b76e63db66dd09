// Calls of which nothing is known, beside places of the iteration's own and
// beside elements that they choose, update and read.
//
// RUN: %same_output -fno-exceptions | FileCheck %s
// CHECK: remark: interleaved

#include "../Inputs/program.h"

static int64_t counts[Elements];
struct Slot {
  int64_t key, value;
};
static Slot slots[Elements];
static int64_t used;

static void clear() {
  used = 0;
  for (int64_t i = 0; i < Elements; ++i) {
    counts[i] = i;
    slots[i] = {-1, 0};
  }
}

static int64_t digest() {
  uint64_t all = used;
  for (int64_t i = 0; i < Elements; ++i)
    all = scramble(all ^ counts[i] ^ scramble(slots[i].key ^ slots[i].value));
  return all;
}

// The compiler does not see which functions these are.
static const Node *lookUp(int64_t key) {
  return buckets[scramble(key) % Buckets];
}
static Slot *claim(int64_t key) {
  Slot *slot = &slots[key % 64];
  if (slot->key < 0) {
    slot->key = key % 64;
    ++used;
  }
  return slot;
}
static void bump(int64_t at) { ++counts[at]; }
static int64_t get(int64_t at) { return counts[at]; }
static const Node *(*volatile opaqueLookUp)(int64_t) = lookUp;
static Slot *(*volatile opaqueClaim)(int64_t) = claim;
static void (*volatile opaqueBump)(int64_t) = bump;
static int64_t (*volatile opaqueGet)(int64_t) = get;

static int64_t follow(const Node *p, int64_t key) {
  while (p && p->key != key)
    p = p->next;
  return p ? p->value : -1;
}

// Nobody else has the place.
PROGRAM(resultOfLookUp) {
  clear();
  auto *find = opaqueLookUp;
#pragma heddle async
  for (int64_t i = 0; i < n; ++i)
    counts[i] = follow(find(keys[i]), keys[i]);
  return digest();
}

PROGRAM(resultElsewhere) {
  static int64_t out[Elements];
  auto *find = opaqueLookUp;
#pragma heddle async
  for (int64_t i = 0; i < n; ++i)
    out[i] = follow(find(keys[i]), keys[i]) + table[table[keys[i]]];
  uint64_t all = 0;
  for (int64_t i = 0; i < n; ++i)
    all = scramble(all ^ out[i]);
  return all;
}

// The slot is filled in as one step.
PROGRAM(claimed) {
  clear();
  auto *choose = opaqueClaim;
#pragma heddle async
  for (int64_t i = 0; i < n; ++i) {
    Slot *slot = choose(keys[i]);
    const int64_t value = slot->value;
    slot->value = value + 1 + table[table[slot->key]] % 3;
  }
  return digest();
}

// Other iterations update the place in between, if there is a suspension.
PROGRAM(ownAndOthers) {
  clear();
  auto *add = opaqueBump;
#pragma heddle async
  for (int64_t i = 0; i < n; ++i) {
    const int64_t count = counts[i];
    const int64_t other = table[table[keys[i]]];
    counts[i] = count + 1;
    add(other);
  }
  return digest();
}

PROGRAM(readByCallee) {
  clear();
  auto *add = opaqueBump;
  auto *read = opaqueGet;
#pragma heddle async
  for (int64_t i = 0; i < n; ++i) {
    const int64_t count = read(i);
    const int64_t other = table[table[keys[i]]];
    counts[i] = count + 1;
    add(other);
  }
  return digest();
}

PROGRAM(readByCalleeWithLookUp) {
  clear();
  auto *add = opaqueBump;
  auto *read = opaqueGet;
  auto *find = opaqueLookUp;
#pragma heddle async
  for (int64_t i = 0; i < n; ++i) {
    const Node *first = find(keys[i]);
    const int64_t count = read(i);
    const int64_t value = follow(first, keys[i]);
    counts[i] = count + 1;
    add(value < 0 ? 0 : value);
  }
  return digest();
}

int main() {
  prepare();
  printPrograms();
}
