// Pointers and sizes that iterations read again from memory stay what they are:
// behind an exception that the iteration catches itself, behind an atomic
// count, and in an object of the function whose methods only read it.
//
// RUN: %same_output -std=c++20 | FileCheck %s

#include "../Inputs/claims.h"

struct Branch {
  uint64_t key;
  Branch *left, *right;
};
struct Tree {
  Branch *root;
};
static Branch branches[Values];
static Tree tree = {branches};

static void makeTree() {
  for (uint64_t k = 0; k < Values; ++k)
    branches[k] = {values[k], nullptr, nullptr};
  for (uint64_t k = 1; k < Values; ++k) {
    Branch **place = &tree.root;
    while (*place)
      place =
          branches[k].key < (*place)->key ? &(*place)->left : &(*place)->right;
    *place = &branches[k];
  }
}

PROGRAM(caughtNumber) {
  const Tree &t = *samePlace(&tree);
  uint64_t misses = 0, hits = 0;
  // CHECK: :[[# @LINE + 2]]:3: remark: interleaved
  DIRECTIVE()
  for (uint64_t i = 0; i < uint64_t(n); ++i) {
    try {
      const Branch *x = t.root;
      const uint64_t key = values[i] + i % 2;
      while (x && x->key != key)
        x = key < x->key ? x->left : x->right;
      if (!x)
        throw 1;
      hits += x->key;
    } catch (int) {
      ++misses;
    }
  }
  return misses + 3 * hits;
}

PROGRAM(caughtInLoop) {
  const Tree &t = *samePlace(&tree);
  uint64_t sum = 0;
  DIRECTIVE()
  for (uint64_t i = 0; i < uint64_t(n); ++i) {
    const Branch *x = t.root;
    try {
      while (x->key != values[i]) {
        x = values[i] < x->key ? x->left : x->right;
        if (x && x->key % 5 == 0)
          throw x->key;
      }
    } catch (uint64_t key) {
      sum += key;
    }
  }
  return sum;
}

static uint64_t offsets[Values];
static uint32_t visits[Values];

PROGRAM(countedAtomically) {
  uint64_t *const *off = samePlace(new uint64_t *(offsets));
  uint32_t **counts = samePlace(new uint32_t *(visits));
  for (uint64_t k = 0; k < Values; ++k)
    offsets[k] = values[k] % Values;
  // CHECK: :[[# @LINE + 2]]:3: remark: interleaved
  DIRECTIVE()
  for (uint64_t i = 0; i < uint64_t(n); ++i) {
    uint64_t v = i;
    for (int s = 0; s < 10; ++s) {
      v = indices[(*off)[v]];
      __atomic_fetch_add(&(*counts)[v], 1, __ATOMIC_RELAXED);
    }
  }
  uint64_t sum = 0;
  for (uint64_t k = 0; k < Values; ++k)
    sum = sum * 31 + visits[k];
  return sum;
}

// The iteration exchanges the pointer that it reads.
struct Holder {
  Branch *at;
};
union NumberOrPointer {
  uint32_t halves[2];
  Branch *at;
};

PROGRAM(exchangedPointer) {
  Holder *one = samePlace(new Holder{branches}), *other = samePlace(one);
  uint64_t sum = 0;
  DIRECTIVE()
  for (uint64_t i = 0; i < uint64_t(n); ++i) {
    __atomic_exchange_n(&one->at, &branches[indices[i]], __ATOMIC_RELAXED);
    sum += other->at->key;
  }
  delete one;
  return sum;
}

PROGRAM(halfOfAPointer) {
  NumberOrPointer *one = samePlace(new NumberOrPointer),
                  *other = samePlace(one);
  one->at = branches;
  const uint32_t low = one->halves[0];
  uint64_t sum = 0;
  DIRECTIVE()
  for (uint64_t i = 0; i < uint64_t(n); ++i) {
    __atomic_exchange_n(&one->halves[0], low + i % 3 * sizeof(Branch),
                        __ATOMIC_RELAXED);
    sum += other->at->key;
  }
  delete one;
  return sum;
}

// The destructor of an exception that another function throws moves the table.
struct Moved {
  Moved(uint64_t by) : by(by) {}
  Moved(const Moved &) = default;
  ~Moved();
  uint64_t by;
};
static Holder *moved = new Holder{branches};
Moved::~Moved() { moved->at = branches + by % 7; }
NOINLINE static void throwMoved(uint64_t x) {
  asm volatile("" ::: "memory");
  if (x % 2)
    throw Moved(x);
}

PROGRAM(movedByException) {
  Holder *holder = samePlace(moved);
  uint64_t sum = 0;
  DIRECTIVE()
  for (uint64_t i = 0; i < uint64_t(n); ++i) {
    try {
      holder->at = branches + i % 5;
      throwMoved(values[i]);
    } catch (const Moved &) {
    }
    sum += holder->at[indices[i] % 4000].key;
  }
  return sum;
}

struct Blocks {
  uint32_t *next;
  uint64_t *weight;
  uint64_t rows, special;
  uint64_t step(uint64_t at, uint64_t by) const {
    uint64_t w = weight[at % rows] + by;
    w = (w ^ (w >> 7)) * 0x9E3779B97F4A7C15u;
    if (at == special)
      w ^= by * 3;
    w += (w & by & 1 ? w >> 3 : ~w) & (by & 2 ? at : ~at) & 0xffff;
    return next[(w ^ at) % rows] + (w >> 60);
  }
  uint64_t walk(uint64_t from, int steps) const {
    uint64_t low = from, high = from * 3 % rows;
    while (steps-- > 0 && low != high) {
      low = step(low % rows, steps);
      high = step(high % rows, from);
    }
    return low ^ high;
  }
};
NOINLINE static void open(Blocks &blocks) {
  blocks = {indices, values, Values, 77};
}

PROGRAM(methodsOfAnObject) {
  Blocks blocks;
  open(blocks);
  uint64_t sum = 0;
  // CHECK: :[[# @LINE + 2]]:3: remark: interleaved
  DIRECTIVE()
  for (uint64_t i = 0; i < uint64_t(n); ++i)
    sum += blocks.walk(i, 14);
  return sum;
}

int main() {
  setValues();
  makeTree();
  printPrograms();
}
