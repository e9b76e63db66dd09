//===- foreign.c - Pulls against plain loops, under emulation -------------===//
//
// Without any library: the exit code is 0, or the number of the first pull that
// differs. Edge vectors have holes and end anywhere.
//
//===----------------------------------------------------------------------===//

#include "../../vectorsparse/Inputs/freestanding.h"

#define VERTICES 500
#define VECTORS 9

typedef struct {
  void *allocated, *aligned;
  long offset, size, stride;
} Array;
typedef struct {
  void *allocated, *aligned;
  long offset, sizes[2], strides[2];
} Matrix;

float _mlir_ciface_weighted(Matrix *edges, Matrix *weights, long lo, long hi,
                            float old, Array *x);
long _mlir_ciface_least(Matrix *edges, Array *frontier, long lo, long hi,
                        long old, Array *x, long more);

static float numbers[VERTICES], weights[VECTORS * 16];
static long integers[VERTICES];
static unsigned frontier[VERTICES / 32 + 1];
static unsigned narrow[VECTORS * 16] __attribute__((aligned(64)));
static unsigned long wide[VECTORS * 4] __attribute__((aligned(64)));

#define ARRAY(Values)                                                          \
  (Array){Values, Values, 0, sizeof Values / sizeof *Values, 1}
#define MATRIX(Values, Lanes)                                                  \
  (Matrix) { Values, Values, 0, {VECTORS, Lanes}, {Lanes, 1} }

static int difference(long lo, long hi) {
  Matrix edges = MATRIX(narrow, 16), factors = MATRIX(weights, 16);
  Matrix wideEdges = MATRIX(wide, 4);
  Array x = ARRAY(numbers), y = ARRAY(integers), set = ARRAY(frontier);
  // Small integers, which every order adds up to the same.
  float sum = 3;
#pragma clang loop vectorize(disable)
  for (long i = lo * 16; i < hi * 16; ++i)
    if (narrow[i] >> 31)
      sum += numbers[narrow[i] & 0x1ff] * weights[i];
  if (_mlir_ciface_weighted(&edges, &factors, lo, hi, 3, &x) != sum)
    return 1;
  long least = 1000;
#pragma clang loop vectorize(disable)
  for (long i = lo * 4; i < hi * 4; ++i) {
    const unsigned long u = wide[i] & 0x1ff;
    if (wide[i] >> 63 && frontier[u / 32] >> u % 32 & 1 && integers[u] < least)
      least = integers[u];
  }
  return _mlir_ciface_least(&wideEdges, &set, lo, hi, 1000, &y, 7) == least + 7
             ? 0
             : 2;
}

static int test(void) {
  for (int v = 0; v < VERTICES; ++v) {
    numbers[v] = (float)number(16);
    integers[v] = (long)number(2000) - 1000;
  }
  for (int i = 0; i < VERTICES / 32 + 1; ++i)
    frontier[i] = number(~0u);
  // Bits between the neighbour and the topmost one are of the row's number.
  for (int i = 0; i < VECTORS * 16; ++i) {
    weights[i] = (float)number(8);
    narrow[i] = number(4) ? 1u << 31 | number(VERTICES) : 0;
    narrow[i] |= number(2) << 30;
  }
  for (int i = 0; i < VECTORS * 4; ++i) {
    wide[i] = number(4) ? 1ul << 63 | number(VERTICES) : 0;
    wide[i] |= (unsigned long)number(1 << 15) << 48;
  }
  for (long lo = 0; lo <= VECTORS; ++lo)
    for (long hi = lo; hi <= VECTORS; ++hi) {
      const int first = difference(lo, hi);
      if (first)
        return first;
    }
  return 0;
}
