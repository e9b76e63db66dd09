// An element's number is hidden: a function takes a remainder of what it is
// handed, finds the element, or tells where it lies, and other accesses of the
// element use the number itself.
//
// RUN: %same_output -std=c++20 | FileCheck %s
// CHECK-COUNT-29: remark: {{interleaved|requested ahead}}

#include "../Inputs/claims.h"

enum { Places = 64, Prime = 61 };
struct Row {
  uint64_t key, first, second;
};
struct Table {
  Row *rows;
  uint32_t *tags;
  uint64_t *held;
};
static Row rows[Places];
static uint32_t tags[Places];
static uint64_t held[Places];
static Table whole = {rows, tags, held};

static uint64_t mix(uint64_t h) {
  h *= 0x9E3779B97F4A7C15u;
  return (h ^ (h >> 31)) % Places;
}

NOINLINE static bool byHash(uint64_t h) { return whole.tags[h % Places]; }
NOINLINE static void useHash(uint64_t h) { whole.tags[h % Places] = 1; }
NOINLINE static bool byMod(uint64_t h) { return whole.tags[h % Prime]; }
NOINLINE static void useMod(uint64_t h) { whole.tags[h % Prime] = 1; }
NOINLINE static bool byShift(uint64_t h) { return whole.tags[h >> 58]; }
NOINLINE static void useShift(uint64_t h) { whole.tags[h >> 58] = 1; }
NOINLINE static bool byMix(uint64_t h) { return whole.tags[mix(h)]; }
NOINLINE static void useMix(uint64_t h) { whole.tags[mix(h)] = 1; }
NOINLINE static bool isUsed(uint64_t k) { return whole.tags[k]; }
NOINLINE static void use(uint64_t k) { whole.tags[k] = 1; }
NOINLINE static bool isUsedRow(const Row *r) {
  return whole.tags[r - whole.rows];
}
NOINLINE static void useRow(const Row *r) { whole.tags[r - whole.rows] = 1; }
NOINLINE static uint32_t &tagAt(uint64_t k) { return whole.tags[k]; }
NOINLINE static Row *rowAt(uint64_t k) { return &whole.rows[k]; }
NOINLINE static uint64_t placeOf(uint64_t h) { return h % Places; }
NOINLINE static uint64_t *slotOf(uint64_t h) { return &whole.held[h % Prime]; }
NOINLINE static void find(uint64_t h, uint64_t *at) { *at = h % Places; }
NOINLINE static void findRow(uint64_t h, Row **at) {
  *at = &whole.rows[h % Places];
}

NOINLINE static bool claim(uint64_t h) {
  if (whole.tags[h % Places])
    return false;
  whole.tags[h % Places] = 1;
  return true;
}
NOINLINE static void fill(uint64_t h, uint64_t x) {
  whole.held[h % Places] = x;
}
NOINLINE static void triple(uint64_t h) { whole.held[h % Places] *= 3; }
struct Pair {
  uint64_t low, high;
};
NOINLINE static Pair split(uint64_t h) { return {h % Places, h >> 58}; }
NOINLINE static bool isUsedAt(double x, double y) {
  return whole.tags[uint64_t(x * 8 + y)];
}
NOINLINE static void useAt(double x, double y) {
  whole.tags[uint64_t(x * 8 + y)] = 1;
}
static Row *pointers[Places];

struct TagBag {
  uint32_t *begin;
  NOINLINE uint32_t &operator[](uint64_t k) { return begin[k]; }
};
static TagBag tagBag{tags};

struct Map {
  Table *t;
  NOINLINE bool has(uint64_t h) const { return t->tags[h % Places]; }
  NOINLINE void add(uint64_t h) { t->tags[h % Places] = 1; }
  NOINLINE uint64_t &at(uint64_t h) { return t->held[h % Places]; }
  NOINLINE Row *row(uint64_t h) { return &t->rows[h % Places]; }
  NOINLINE Row *begin() { return t->rows; }
};
static Map map{&whole};

struct Key {
  uint64_t a, b;
};
NOINLINE static bool hasKey(const Key &k) {
  return whole.tags[(k.a + k.b) % Places];
}
NOINLINE static void addKey(const Key &k) {
  whole.tags[(k.a + k.b) % Places] = 1;
}

static void clear() {
  memset(rows, 0, sizeof rows);
  memset(tags, 0, sizeof tags);
  memset(held, 0, sizeof held);
}
static void add(uint64_t &sum) {
  for (const Row &row : rows)
    sum = (sum * 31 + row.first) * 31 + row.second;
  for (uint64_t x : held)
    sum = sum * 31 + x;
}

#define LOOP(name, ...)                                                        \
  NOINLINE static void name##Claims(uint64_t n) {                              \
    uint64_t *view = samePlace(held);                                          \
    (void)view;                                                                \
    DIRECTIVE(CLAUSES)                                                         \
    for (uint64_t i = 0; i < n; ++i) {                                         \
      const uint64_t h = values[indices[i]];                                   \
      const uint64_t k = h % Places;                                           \
      (void)k;                                                                 \
      __VA_ARGS__                                                              \
    }                                                                          \
  }                                                                            \
  PROGRAM(name) { return sumOfRuns(name##Claims, clear, add); }
LOOP(
    maskedByBoth,
    if (!byHash(h)) {
      useHash(h);
      held[h & 63] = far(k);
    } else { held[h & 63] *= 3; })
LOOP(
    maskedRow,
    if (!byHash(h)) {
      useHash(h);
      rows[h & 63].first = far(k);
    } else { rows[h & 63].first *= 3; })
LOOP(
    placeFromCall, const uint64_t at = placeOf(h); if (!byHash(h)) {
      useHash(h);
      held[at] = far(k);
    } else { held[at] *= 3; })
LOOP(
    claimedByCall,
    if (!tags[k]) {
      useHash(h);
      held[k] = far(k);
    } else { held[k] *= 3; })
LOOP(
    tagByReference,
    if (!tagAt(k)) {
      tagAt(k) = 1;
      held[k] = far(k);
    } else { held[k] *= 3; })
LOOP(
    tagOfBag,
    if (!tagBag[k]) {
      tagBag[k] = 1;
      held[k] = far(k);
    } else { held[k] *= 3; })
LOOP(
    keyOfFoundRow, Row *r = rowAt(k); if (!r->key) {
      r->key = 1;
      held[k] = far(k);
    } else { held[k] *= 3; })
LOOP(
    referenceKept, uint32_t &t = tagAt(k); if (!t) {
      t = 1;
      rowAt(k)->first = far(k);
    } else { rowAt(k)->first *= 3; })
LOOP(
    heldByName,
    if (!isUsed(k)) {
      use(k);
      view[k] = far(k);
    } else { view[k] *= 3; })
LOOP(
    heldByTwoNames,
    if (!isUsed(k)) {
      use(k);
      view[k] = far(k);
    } else { held[k] *= 3; })
LOOP(
    askedOfRow, Row *r = &rows[k]; if (!isUsedRow(r)) {
      useRow(r);
      held[r - rows] = far(k);
    } else { held[r - rows] *= 3; })
LOOP(
    numberOfFoundRow, Row *r = rowAt(k); if (!r->key) {
      r->key = 1;
      held[r - rows] = far(k);
    } else { held[r - rows] *= 3; })
LOOP(
    tagOfFoundRow, Row *r = rowAt(k); if (!tags[r - rows]) {
      tags[r - rows] = 1;
      r->first = far(k);
    } else { r->first *= 3; })
LOOP(
    remainderInBoth, const uint64_t m = h % 61; if (!byMod(h)) {
      useMod(h);
      held[m] = far(m);
    } else { held[m] *= 3; })
LOOP(
    remainderClaimed, const uint64_t m = h % 61; if (!tags[m]) {
      useMod(h);
      held[m] = far(m);
    } else { held[m] *= 3; })
LOOP(
    shifted, const uint64_t m = h >> 58; if (!byShift(h)) {
      useShift(h);
      held[m] = far(m);
    } else { held[m] *= 3; })
LOOP(
    mixed, const uint64_t m = mix(h); if (!byMix(h)) {
      useMix(h);
      held[m] = far(m);
    } else { held[m] *= 3; })
LOOP(
    mixedNumbers, const uint64_t m = mix(i * 7 + 3); if (!byMix(i * 7 + 3)) {
      useMix(i * 7 + 3);
      held[m] = far(m);
    } else { held[m] *= 3; })
LOOP(
    placeHandedOut, uint64_t m; find(h, &m); if (!byHash(h)) {
      useHash(h);
      held[m] = far(m);
    } else { held[m] *= 3; })
LOOP(
    rowHandedOut, Row *r; findRow(h, &r); if (!r->key) {
      r->key = 1;
      held[k] = far(k);
    } else { held[k] *= 3; })
LOOP(
    slotFound, uint64_t *s = slotOf(h); if (!*s) {
      *s = 1;
      rows[h % 61].first = far(h % 61);
    } else { rows[h % 61].first *= 3; })
LOOP(
    rowOfMap, Row *r = map.row(h); if (!r->key) {
      r->key = 1;
      map.at(h) = far(k);
    } else { map.at(h) *= 3; })
LOOP(
    rowBehindBegin, Row *r = map.begin() + k; if (!map.has(h)) {
      map.add(h);
      r->first = far(k);
    } else { r->first *= 3; })
LOOP(
    keyInMemory, Key x{h, 64}; if (!hasKey(x)) {
      addKey(x);
      held[k] = far(k);
    } else { held[k] *= 3; })
LOOP(
    keyOfTwo, Key x{h >> 3, h & 7};
    const uint64_t m = ((h >> 3) + (h & 7)) & 63; if (!hasKey(x)) {
      addKey(x);
      held[m] = far(m);
    } else { held[m] *= 3; })

LOOP(
    claimedAndFilled,
    if (claim(h)) {
      const uint64_t x = far(k);
      fill(h, x);
    } else { held[k] *= 3; })
LOOP(claimedOrTripled, if (claim(h)) { held[k] = far(k); } else { triple(h); })
LOOP(
    numberOfPair, const Pair p = split(h); if (!isUsed(p.low)) {
      use(p.low);
      held[p.low] = far(p.low);
    } else { held[p.low] *= 3; })
LOOP(
    numberAsDouble, const double x = double(k >> 3);
    const double y = double(k & 7); if (!isUsedAt(x, y)) {
      useAt(x, y);
      held[k] = far(k);
    } else { held[k] *= 3; })
LOOP(
    rowOfTable, const Row *r = pointers[k]; if (!isUsedRow(r)) {
      useRow(r);
      held[k] = far(k);
    } else { held[k] *= 3; })

int main() {
  setValues();
  for (uint64_t k = 0; k < Places; ++k)
    pointers[k] = &rows[k];
  printPrograms();
}
