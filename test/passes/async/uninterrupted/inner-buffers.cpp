// Buffers that inner loops fill and read: other places of them than the one
// that has been filled last, by functions and inline, in nested loops, in turns
// before.
//
// RUN: %same_output -fno-exceptions

#include "../Inputs/program.h"
#include <cstring>

static int64_t far(int64_t key) { return table[table[table[key]]]; }

struct Pair {
  int64_t a, b;
};
struct Buffer {
  int64_t count, data[32];
};
static int64_t w[64], v[64], m[8][8], rows[4][64];
static Pair pairs[64];
static int32_t narrow[64];
static Buffer buffer;

NOINLINE static int64_t read(const int64_t *w, int64_t at) { return w[at]; }
NOINLINE static void put(int64_t *w, int64_t at, int64_t x) { w[at] = x; }
NOINLINE static int64_t readAt(const int64_t *w) { return *w; }
NOINLINE static void putAt(int64_t *w, int64_t x) { *w = x; }
NOINLINE static int64_t global(int64_t at) { return w[at]; }
NOINLINE static void setGlobal(int64_t at, int64_t x) { w[at] = x; }
NOINLINE static int64_t sumOf(const int64_t *w, int64_t count) {
  int64_t sum = 0;
  for (int64_t j = 0; j < count; ++j)
    sum = sum * 3 + w[j];
  return sum;
}
NOINLINE static void push(Buffer &b, int64_t x) { b.data[b.count++] = x; }
NOINLINE static int64_t last(const Buffer &b) { return b.data[b.count - 1]; }
NOINLINE static int64_t *place(int64_t k) { return &w[k]; }
NOINLINE static int64_t &cell(int64_t k) { return rows[k & 3][k]; }

#define FOR(j, count)                                                          \
  _Pragma("clang loop unroll(disable) vectorize(disable)") for (int64_t j = 0; \
                                                                j < (count);   \
                                                                ++j)

/// A loop whose iterations do what comes next, beginning with x.
#define FILLS(name, ...)                                                       \
  PROGRAM(name) {                                                              \
    int64_t sum = 0;                                                           \
    ASYNC_LOOP(CLAUSES) {                                                      \
      int64_t x = keys[i];                                                     \
      __VA_ARGS__;                                                             \
    }                                                                          \
    return sum;                                                                \
  }

FILLS(
    firstByFunctions, FOR(j, 8) {
      w[j] = x + j;
      sum += read(w, 0) * x;
      x = far(x);
    })
FILLS(
    mirror, FOR(j, 8) {
      w[j] = x + j;
      if (j >= 4)
        sum += w[7 - j] * x;
      x = far(x);
    })
FILLS(
    mirrorByFunctions, FOR(j, 8) {
      w[j] = x + j;
      if (j >= 4)
        sum += read(w, 7 - j) * x;
      x = far(x);
    })
FILLS(
    prevByPointers, FOR(j, 8) {
      w[j] = x + j;
      if (j)
        sum += readAt(w + j - 1) * x;
      x = far(x);
    })
FILLS(
    halfByFunctions, FOR(j, 8) {
      w[j] = x + j;
      sum += read(w, j / 2) * x;
      x = far(x);
    })
FILLS(
    putByFunctions, FOR(j, 8) {
      put(w, j, x + j);
      sum += read(w, 0) * x;
      x = far(x);
    })
FILLS(
    putInlHalf, FOR(j, 8) {
      put(w, j, x + j);
      sum += w[j / 2] * x;
      x = far(x);
    })
FILLS(
    putPHalf, FOR(j, 8) {
      putAt(w + j, x + j);
      sum += readAt(w + j / 2) * x;
      x = far(x);
    })
FILLS(
    putGHalf, FOR(j, 8) {
      setGlobal(j, x + j);
      sum += global(j / 2) * x;
      x = far(x);
    })
FILLS(
    earlierTurnByFunctions, FOR(j, 8) {
      if (j)
        sum += read(w, j - 1) * x;
      w[j] = x + j;
      x = far(x);
    })
FILLS(
    earlierTurnPut, FOR(j, 8) {
      if (j)
        sum += read(w, j - 1) * x;
      put(w, j, x + j);
      x = far(x);
    })
FILLS(
    rotateOther, FOR(j, 8) {
      w[j & 3] = x + j;
      x = far(x);
      if (j > 2)
        sum += w[(j + 1) & 3] * x;
    })
FILLS(
    rotateOtherByFunctions, FOR(j, 8) {
      put(w, j & 3, x + j);
      x = far(x);
      if (j > 2)
        sum += read(w, (j + 1) & 3) * x;
    })
FILLS(
    twoRevByFunctions, FOR(j, 8) w[j] = x + j; FOR(j, 8) {
      sum += read(w, 7 - j) * x;
      x = far(x);
    })
FILLS(
    twoFillFarByPointers, FOR(j, 8) {
      putAt(w + j, x + j);
      x = far(x);
    } FOR(j, 8) sum += readAt(w + 7 - j) * x)
FILLS(
    nestedByFunctions, FOR(j, 4) {
      FOR(k, 4) put(w, k, x + k);
      x = far(x);
      FOR(k, 4) sum += read(w, k) * x;
    })
FILLS(nestedDiag, FOR(j, 4) { FOR(k, 4) { w[k] = x + k; sum += w[0] * x; x = far(x);
}
})
FILLS(nestedRowPrev, FOR(j, 4) {
  FOR(k, 4) {
    m[j][k] = x + k;
    x = far(x);
  }
  if (j)
    sum += m[j - 1][x & 3]; })
FILLS(nestedTriPutInl, FOR(j, 6) {
  put(w, j, x);
  FOR(k, j + 1) {
    sum += w[k] * x;
    x = far(x);
  } })
FILLS(copyTo, FOR(j, 8) {
  w[j] = x;
  x = far(x); } FOR(j, 8) v[j] = w[7 - j]; FOR(j, 8) {
  sum += v[j] * x;
  x = far(x); })
FILLS(memsetCountByFunctions, memset(w, 0, 64); FOR(j, 8) {
  put(w, x & 7, read(w, x & 7) + 1);
  x = far(x); } FOR(j, 8) sum += w[j] * (j + 1))
FILLS(queueByFunctions, int64_t head = 0, tail = 0; put(w, tail++, x); while (head < tail && tail < 20) {
  int64_t y = read(w, head++);
  sum += y;
  y = far(y);
  put(w, tail++, y);
  if (y & 1)
    put(w, tail++, y ^ 1); })
FILLS(downByFunctions, for (int64_t j = 7; j >= 0; --j) {
  w[j] = x + j;
  sum += read(w, 7) * x;
  x = far(x); })
FILLS(ptrWalkPut, for (int64_t *p = w; p != w + 8; ++p) {
  putAt(p, x);
  sum += readAt(w) * x;
  x = far(x); })
FILLS(memcpyInByFunctions, FOR(j, 8) {
  memcpy(w + 2 * j, table + x / 2, 16);
  sum += read(w, j) * x;
  x = far(x); })
FILLS(twoBuffersByFunctions, FOR(j, 8) {
  put(w, j, x);
  put(v, j, x + j);
  sum += read(v, 0) + read(w, j / 2) * x;
  x = far(x); })
FILLS(structsByFunctions, FOR(j, 8) {
  put(&pairs[j].a, 0, x);
  put(&pairs[j].b, 0, x + j);
  sum += read(&pairs[0].b, 0) * x + read(&pairs[j / 2].a, 0);
  x = far(x); })
FILLS(structCopy, FOR(j, 8) {
  Pair p = {x, x + j};
  pairs[j] = p;
  Pair q = pairs[j / 2];
  sum += q.a * 3 + q.b;
  x = far(x); })
FILLS(countByFunctions, int64_t c = 0; FOR(j, 8) {
  if (x & 3)
    put(w, c++, x);
  if (c)
    sum += read(w, c - 1) * 3 + read(w, 0);
  x = far(x); })
FILLS(countBack, int64_t c = 0; FOR(j, 8) {
  if (x & 3)
    w[c++] = x;
  x = far(x); } while (c) {
  sum += w[--c] * x;
  x = far(x); })
FILLS(prefixSumPut, FOR(j, 8) {
  put(w, j, x);
  x = far(x);
  sum += sumOf(w, j + 1); })
FILLS(memberLast, buffer.count = 0; FOR(j, 8) {
  push(buffer, x);
  x = far(x);
  sum += last(buffer) * x; })
FILLS(byPlaceHalf, FOR(j, 8) {
  *place(j) = x;
  x = far(x);
  sum += *place(j / 2) * x; })
FILLS(byCell, FOR(j, 8) {
  cell(j) = x;
  x = far(x);
  sum += cell(0) * x; })
FILLS(rowByNumberByFunctions, int64_t *r = rows[i & 3]; FOR(j, 8) {
  put(r, j, x);
  x = far(x);
  sum += read(r, 0) * x; })
FILLS(narrowPair, FOR(j, 8) {
  narrow[2 * j] = x;
  narrow[2 * j + 1] = j;
  x = far(x);
  int64_t q;
  memcpy(&q, narrow + 2 * (j / 2), 8);
  sum += q * x; })
FILLS(heap, FOR(j, 8) {
  x = far(x);
  int64_t k = j;
  w[k] = x;
  while (k && w[(k - 1) / 2] < w[k]) {
    int64_t t = w[k];
    w[k] = w[(k - 1) / 2];
    w[(k - 1) / 2] = t;
    k = (k - 1) / 2;
  } } sum += w[0] * 3 + w[1])
FILLS(outerFillByFunctions, FOR(a, 3) {
  put(w, a, x);
  FOR(b, 3) {
    put(v, b, x + b);
    x = far(x);
    sum += read(v, 0) * read(w, 0) + read(w, a);
  } })

int main() {
  prepare();
  printPrograms();
}
