//===- foreign.c - Kernels for a processor under emulation ----------------===//
//
// Compares loops over rows with their kernels without any library: the exit
// code is 0, or the number of the first loop that differs.
//
//===----------------------------------------------------------------------===//

#include "freestanding.h"

#if LANE_BITS == 32
typedef unsigned Lane;
#define NEIGHBOUR (LANES == 8 ? 0x7ffffff : 0x1fffffff)
#else
typedef unsigned long Lane;
#define NEIGHBOUR 0xffffffffffff
#endif
#define VERTICES 500

static float numbers[VERTICES];
static double doubles[VERTICES];
static int integers[VERTICES];
static unsigned char bytes[VERTICES];
static unsigned long bits[VERTICES / 64 + 1];
static float weights[80];
static Lane edges[80] __attribute__((aligned(64)));

// Each loop twice. The pragma that is made a marker is that of kernels.
#define LOOP(Name, T, Statement)                                               \
  __attribute__((noinline)) static T Name(long n, T s) {                       \
    PRAGMA for (long i = 0; i < n; ++i) {                                      \
      Lane u = edges[i] & NEIGHBOUR;                                           \
      Statement;                                                               \
    }                                                                          \
    return s;                                                                  \
  }
#define LOOPS(P)                                                               \
  LOOP(P##Sum, float, s += numbers[u])                                         \
  LOOP(P##Weighted, float, s += numbers[u] * weights[i])                       \
  LOOP(P##Double, double, s += doubles[u])                                     \
  LOOP(P##Least, int, s = integers[u] < s ? integers[u] : s)                   \
  LOOP(P##Bytes, int, if (bytes[u] & 1) s += integers[u])                      \
  LOOP(P##Bits, unsigned, if (bits[u / 64] >> (u % 64) & 1) s ^= bytes[u])     \
  LOOP(P##Any, _Bool, if (bits[u / 64] >> (u % 64) & 1) s = 1)                 \
  LOOP(P##Narrow, unsigned char, s ^= bytes[u])                                \
  LOOP(P##Upper, float, if (u >= 100) s += (numbers - 100)[u])
#define PRAGMA _Pragma("clang loop unroll(disable)")
LOOPS(vector)
#undef PRAGMA
#define PRAGMA _Pragma("clang loop vectorize(disable)")
LOOPS(scalar)

static int difference(long n) {
  if (vectorSum(n, 1) != scalarSum(n, 1))
    return 1;
  if (vectorWeighted(n, 1) != scalarWeighted(n, 1))
    return 2;
  if (vectorDouble(n, 1) != scalarDouble(n, 1))
    return 3;
  if (vectorLeast(n, 1000) != scalarLeast(n, 1000))
    return 4;
  if (vectorBytes(n, 1) != scalarBytes(n, 1))
    return 5;
  if (vectorBits(n, 1) != scalarBits(n, 1))
    return 6;
  if (vectorAny(n, 0) != scalarAny(n, 0))
    return 7;
  if (vectorNarrow(n, 1) != scalarNarrow(n, 1))
    return 8;
  if (vectorUpper(n, 1) != scalarUpper(n, 1))
    return 9;
  return 0;
}

static int test(void) {
  for (int i = 0; i < VERTICES; ++i) {
    numbers[i] = doubles[i] = integers[i] = (int)number(100) - 50;
    bytes[i] = number(256);
    bits[i / 64] ^= (unsigned long)number(2) << i % 64;
  }
  for (long n = 0; n <= 64; ++n) {
    for (long i = 0; i < 80; ++i) {
      edges[i] = i < n ? (Lane)1 << (LANE_BITS - 1) | number(VERTICES) : 0;
      weights[i] = i < n ? number(9) : 0;
    }
    int where = difference(n);
    if (where)
      return where;
  }
  return 0;
}
