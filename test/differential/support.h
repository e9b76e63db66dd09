//===- support.h - Data and callees of the random test programs -*- C++ -*-===//
//
// Every program of the differential test includes this file after defining
// ELEMENTS. It holds what the random loops walk over: index arrays, linked
// lists, hash tables, trees, compressed rows. All of it is built by prepare()
// from a fixed seed and is never written again, so that loops may read it in
// any order. Valid C11 and C++20; no arithmetic in it overflows.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TEST_DIFFERENTIAL_SUPPORT_H
#define HEDDLE_TEST_DIFFERENTIAL_SUPPORT_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifndef BUCKETS
#define BUCKETS (ELEMENTS / 2 + 1)
#endif
#define ROW_LENGTH 16
#define SLOTS (2 * ELEMENTS + 1)
#define EDGE_CAPACITY (8 * ELEMENTS)

// The qualifier of pointers to far memory, where there is any.
#ifndef FAR_ARRAYS
#define FAR
#endif

#define NOINLINE __attribute__((noinline))
#define UNUSED __attribute__((unused))

// Makes the compiler forget what it knows of a pointer.
#define HIDE(pointer)                                                          \
  __extension__({                                                              \
    __typeof__(&*(pointer)) hidden = (pointer);                                \
    __asm__("" : "+r"(hidden));                                                \
    hidden;                                                                    \
  })

//===--- Reports ----------------------------------------------------------===//

UNUSED static NOINLINE void reportInteger(const char *name, uint64_t value) {
  printf("%s = %llu\n", name, (unsigned long long)value);
}

UNUSED static NOINLINE void reportReal(const char *name, double value) {
  printf("%s = %.17g\n", name, value);
}

// Prints a line for a whole array: the index of its last nonzero byte, and a
// hash of all bytes.
UNUSED static NOINLINE void reportBytes(const char *name, const void *data,
                                        size_t bytes) {
  const unsigned char *byte = (const unsigned char *)data;
  uint64_t hash = 14695981039346656037u;
  size_t last = 0;
  for (size_t k = 0; k < bytes; ++k) {
    hash = (hash ^ byte[k]) * 1099511628211u;
    last = byte[k] ? k : last;
  }
  printf("%s = %016llx, last used byte %zu\n", name, (unsigned long long)hash,
         last);
}

// Prints a line for `count` values whose order does not matter.
UNUSED static NOINLINE void
reportMultiset(const char *name, const uint64_t *values, size_t count) {
  uint64_t sum = 0, mixed = 0;
  for (size_t k = 0; k < count; ++k) {
    uint64_t value = values[k] * 0x9e3779b97f4a7c15u;
    sum += values[k];
    mixed += (value ^ (value >> 29)) * 0xbf58476d1ce4e5b9u;
  }
  printf("%s = %zu values, sum %llu, hash %016llx\n", name, count,
         (unsigned long long)sum, (unsigned long long)mixed);
}

//===--- Data -------------------------------------------------------------===//

typedef struct Node {
  struct Node *next;
  uint64_t key;
  uint64_t value;
  uint32_t identity;
} Node;

typedef struct Tree {
  struct Tree *child[2];
  uint64_t key;
  uint64_t value;
} Tree;

typedef struct Halves {
  uint16_t low, high;
} Halves;

typedef struct Record {
  uint32_t link; // of another record
  int32_t count;
  uint64_t weight;
  double real;
  Halves halves;
} Record;

typedef struct Chunk {
  const struct Chunk *next;
  uint32_t count;    // at least one
  uint32_t items[5]; // below ELEMENTS
} Chunk;

typedef struct Pair {
  uint64_t first, second;
} Pair;

UNUSED static uint8_t values8[ELEMENTS];
UNUSED static uint16_t values16[ELEMENTS];
UNUSED static uint32_t values32[ELEMENTS];
UNUSED static uint64_t values64[ELEMENTS];
UNUSED static int32_t signed32[ELEMENTS];
UNUSED static int64_t signed64[ELEMENTS];
UNUSED static float reals32[ELEMENTS];  // small whole numbers: sums are exact
UNUSED static double reals64[ELEMENTS]; // small whole numbers: sums are exact
UNUSED static uint64_t sorted64[ELEMENTS];

UNUSED static uint32_t indices[ELEMENTS]; // all of these are below ELEMENTS
UNUSED static int32_t signedIndices[ELEMENTS];
UNUSED static size_t wideIndices[ELEMENTS];
UNUSED static uint32_t permutation[ELEMENTS];

UNUSED static uint32_t rowBegin[ELEMENTS + 1]; // some rows empty, some hubs
UNUSED static uint32_t columns[EDGE_CAPACITY]; // below ELEMENTS
UNUSED static uint32_t edgeWeights[EDGE_CAPACITY];

UNUSED static Node nodes[ELEMENTS];
UNUSED static Node *buckets[BUCKETS]; // chains of zero and more nodes
UNUSED static Node trailNodes[ELEMENTS];
UNUSED static Tree trees[ELEMENTS];
UNUSED static Tree *treeRoot;
UNUSED static uint64_t slots[SLOTS];  // open addressing, zero is free
UNUSED static Chunk chunks[ELEMENTS]; // each leads to later ones only
UNUSED static Record records[ELEMENTS];
UNUSED static const uint32_t *rows[ELEMENTS]; // each of ROW_LENGTH values
UNUSED static volatile uint64_t volatileBias = 5;

UNUSED static uint64_t hashOf(uint64_t key) {
  key = (key ^ (key >> 31)) * 0x7fb5d329728ea185u;
  return key ^ (key >> 27);
}

UNUSED static uint64_t nextRandom(uint64_t *state) {
  *state += 0x9e3779b97f4a7c15u;
  return hashOf(*state * 0xbf58476d1ce4e5b9u);
}

UNUSED static NOINLINE void prepareRows(uint64_t *state) {
  uint32_t edges = 0;
  for (uint32_t row = 0; row < ELEMENTS; ++row) {
    uint64_t dice = nextRandom(state);
    uint32_t degree = dice % 3 ? (uint32_t)(dice >> 8) % 7 : 0;
    if (dice % 97 == 0)
      degree = ELEMENTS / 2;
    rowBegin[row] = edges;
    for (; degree && edges < EDGE_CAPACITY; --degree, ++edges) {
      columns[edges] = (uint32_t)(nextRandom(state) % ELEMENTS);
      edgeWeights[edges] = (uint32_t)(nextRandom(state) & 255);
    }
  }
  rowBegin[ELEMENTS] = edges;
}

UNUSED static NOINLINE void prepareTree(Tree *tree) {
  Tree **place = &treeRoot;
  while (*place)
    place = &(*place)->child[tree->key > (*place)->key];
  *place = tree;
}

UNUSED static NOINLINE void prepare(uint64_t seed) {
  uint64_t state = seed;
  uint64_t ascending = 0;
  for (uint32_t k = 0; k < ELEMENTS; ++k) {
    uint64_t value = nextRandom(&state);
    values8[k] = (uint8_t)value;
    values16[k] = (uint16_t)(value >> 8);
    values32[k] = (uint32_t)(value >> 16);
    values64[k] = nextRandom(&state);
    signed32[k] = (int32_t)(value & 1023) - 512;
    signed64[k] = (int64_t)(value >> 40) - (1 << 23);
    reals32[k] = (float)(value & 15);
    reals64[k] = (double)((int32_t)((value >> 4) & 255) - 100);
    ascending += (value >> 3) % 5;
    sorted64[k] = ascending;
    indices[k] = (uint32_t)(nextRandom(&state) % ELEMENTS);
    signedIndices[k] = (int32_t)(nextRandom(&state) % ELEMENTS);
    wideIndices[k] = nextRandom(&state) % ELEMENTS;
    permutation[k] = k;
  }
  for (uint32_t k = ELEMENTS; k > 1; --k) {
    uint32_t other = (uint32_t)(nextRandom(&state) % k);
    uint32_t kept = permutation[k - 1];
    permutation[k - 1] = permutation[other];
    permutation[other] = kept;
  }
  prepareRows(&state);
  for (uint32_t k = 0; k < ELEMENTS; ++k) {
    Node *node = &nodes[permutation[k]];
    node->key = nextRandom(&state) % (4 * ELEMENTS) + 1;
    node->value = nextRandom(&state);
    node->identity = permutation[k];
    node->next = buckets[hashOf(node->key) % BUCKETS];
    buckets[hashOf(node->key) % BUCKETS] = node;

    Node *trail = &trailNodes[permutation[k]];
    trail->next = k + 1 < ELEMENTS ? &trailNodes[permutation[k + 1]] : 0;
    trail->key = nextRandom(&state);
    trail->value = nextRandom(&state);
    trail->identity = permutation[k];

    uint64_t slot = hashOf(node->key) % SLOTS;
    while (slots[slot])
      slot = (slot + 1) % SLOTS;
    slots[slot] = node->key;

    trees[k].key = nextRandom(&state) % (4 * ELEMENTS);
    trees[k].value = nextRandom(&state);
    prepareTree(&trees[k]);

    records[k].link = (uint32_t)(nextRandom(&state) % ELEMENTS);
    records[k].count = (int32_t)(nextRandom(&state) % 200) - 50;
    records[k].weight = nextRandom(&state);
    records[k].real = (double)(nextRandom(&state) % 64);
    records[k].halves.low = (uint16_t)nextRandom(&state);
    records[k].halves.high = (uint16_t)nextRandom(&state);
    rows[k] = &values32[nextRandom(&state) % (ELEMENTS - ROW_LENGTH + 1)];
  }
  for (uint32_t k = 0; k < ELEMENTS; ++k) {
    uint64_t dice = nextRandom(&state);
    uint64_t next = k + 1 + (dice >> 32) % ELEMENTS;
    chunks[k].next = dice % 4 && next < ELEMENTS ? &chunks[next] : 0;
    chunks[k].count = 1 + (uint32_t)(dice >> 8) % 5;
    for (uint32_t j = 0; j < 5; ++j)
      chunks[k].items[j] = (uint32_t)(nextRandom(&state) % ELEMENTS);
  }
}

// The node from which `count` nodes of the trail remain.
UNUSED static const Node *trailStart(int64_t count) {
  return count ? &trailNodes[permutation[ELEMENTS - count]] : 0;
}

//===--- Callees ----------------------------------------------------------===//

UNUSED static NOINLINE uint64_t opaque(uint64_t value) {
  __asm__ volatile("" : "+r"(value) : : "memory");
  return value ^ (value >> 5);
}

/// The place itself, by a pointer that nothing is known of.
UNUSED static NOINLINE void *samePlace(void *place) {
  __asm__ volatile("" : "+r"(place));
  return place;
}

UNUSED static NOINLINE void scramble(uint64_t *scratch, unsigned count,
                                     uint64_t seed) {
  __asm__ volatile("" : : "r"(scratch) : "memory");
  for (unsigned k = 0; k < count; ++k)
    scratch[k] = scratch[k] * 3 + (seed >> (k & 31));
}

UNUSED static NOINLINE void exchange(Pair *pair) {
  __asm__ volatile("" : : "r"(pair) : "memory");
  uint64_t first = pair->first;
  pair->first = pair->second + 1;
  pair->second = first;
}

UNUSED static NOINLINE void addTo(uint64_t *counter, uint64_t value) {
  *counter += value;
}

// Some neighbours in an array of numbers.
#define BLOCK 8
typedef struct __attribute__((may_alias)) Block {
  uint64_t values[BLOCK];
} Block;

UNUSED static NOINLINE void addInBlock(Block *block, int64_t at,
                                       uint64_t value) {
  block->values[at] += value;
}

// Adds to an element of an array by means of a copy of it and its neighbours.
// Something is read while there are two of them.
#define ADD_IN_BLOCK(array, index, value, other)                               \
  do {                                                                         \
    const int64_t place = (int64_t)(index);                                    \
    const int64_t first = place < BLOCK ? 0 : place - (BLOCK - 1);             \
    Block block = *(FAR const Block *)&(array)[first];                         \
    addInBlock(&block, place - first, (value) + (other));                      \
    *(FAR Block *)&(array)[first] = block;                                     \
  } while (0)

UNUSED static inline uint64_t lookUp(uint64_t key) {
  return values64[indices[key % ELEMENTS]];
}

UNUSED static NOINLINE uint64_t lookUpFar(uint64_t key) {
  return values64[indices[permutation[key % ELEMENTS]]] + 1;
}

// Position of the first sorted value that is not below key, ELEMENTS if none.
UNUSED static inline uint32_t searchSorted(uint64_t key) {
  uint32_t low = 0, high = ELEMENTS;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (sorted64[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

UNUSED static NOINLINE uint32_t searchSortedFar(uint64_t key) {
  return searchSorted(key);
}

UNUSED static inline const Node *findNode(uint64_t key) {
  const Node *node = buckets[hashOf(key) % BUCKETS];
  while (node && node->key != key)
    node = node->next;
  return node;
}

UNUSED static uint64_t sumTree(const Tree *tree, unsigned levels) {
  if (!tree || !levels)
    return 1;
  return tree->value + sumTree(tree->child[0], levels - 1) +
         3 * sumTree(tree->child[1], levels - 1);
}

UNUSED static uint64_t hashChain(const Node *node) {
  return node ? node->value + 31 * hashChain(node->next) : 17;
}

UNUSED static uint64_t viaValue(uint64_t key) {
  return values64[key % ELEMENTS];
}
UNUSED static uint64_t viaRecord(uint64_t key) {
  return records[records[key % ELEMENTS].link].weight;
}
UNUSED static uint64_t viaNothing(uint64_t key) { return ~key; }

typedef uint64_t (*Operation)(uint64_t);
UNUSED static Operation operations[3] = {viaValue, viaRecord, viaNothing};

#ifdef __cplusplus

struct Oops {
  uint64_t value;
};

// Throws for about every `rarity`-th value.
[[maybe_unused]] NOINLINE static uint64_t mayThrow(uint64_t value,
                                                   uint64_t rarity) {
  if (hashOf(value) % rarity == 0)
    throw Oops{value};
  return values64[value % ELEMENTS];
}

// Throws for what is no index.
[[maybe_unused]] static inline uint64_t checkedAt(const uint64_t *table,
                                                  uint64_t index) {
  if (index >= ELEMENTS)
    throw Oops{index};
  return table[index];
}

struct AddAtEnd {
  uint64_t *to;
  ~AddAtEnd() { *to += values64[indices[*to % ELEMENTS]]; }
};

[[maybe_unused]] NOINLINE static uint64_t checkedDeeply(uint64_t index) {
  uint64_t sum = 0;
  {
    AddAtEnd end{&sum};
    sum = checkedAt(values64, indices[checkedAt(sorted64, index) % ELEMENTS]);
  }
  return sum;
}

[[maybe_unused]] NOINLINE static uint64_t neverThrows(uint64_t value) noexcept {
  return values32[indices[value % ELEMENTS]];
}

template <typename Element>
inline uint64_t gatherThrough(const Element *table, uint64_t key) {
  return static_cast<uint64_t>(table[permutation[key % ELEMENTS]]);
}

struct Shape {
  virtual uint64_t area(uint64_t scale) const = 0;

protected:
  ~Shape() = default;
};

struct Square final : Shape {
  uint64_t area(uint64_t scale) const override {
    return values64[scale % ELEMENTS] * scale;
  }
};

struct Circle final : Shape {
  uint64_t area(uint64_t scale) const override { return 3 * scale + 1; }
};

inline const Square square;
inline const Circle circle;
inline const Shape *const shapes[3] = {&square, &circle, &square};

// A range whose iterator is a class: the loops over it are neither over
// integers nor over pointers.
struct Trail {
  struct Iterator {
    const Node *node;
    const Node &operator*() const { return *node; }
    Iterator &operator++() {
      node = node->next;
      return *this;
    }
    bool operator!=(const Iterator &other) const { return node != other.node; }
  };
  const Node *first;
  const Node *last;
  Iterator begin() const { return {first}; }
  Iterator end() const { return {last}; }
};

#endif // __cplusplus

#endif
