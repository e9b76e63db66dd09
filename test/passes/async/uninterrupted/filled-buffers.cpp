// Buffers that each iteration fills before it reads them: a thread's own, one
// for all, one of several.
//
// RUN: %same_output -fno-exceptions %fopenmp | FileCheck %s
// CHECK-COUNT-40: between the write and the use of a variable that all iterations share
// CHECK: remark: interleaved the loop's iterations {{.*}}: 3 suspension points
// CHECK-NOT: interleaved

#include "../Inputs/program.h"
#include <array>
#include <cstring>
#include <memory>
#include <omp.h>
#include <utility>
#include <vector>

static int64_t far(int64_t key) { return table[table[table[key]]]; }

/// A loop whose iterations do \p fill, wait for x, and add \p value to the sum.
/// \p declaration is what each thread has.
#define FILLED(name, declaration, fill, value)                                 \
  PROGRAM(name) {                                                              \
    int64_t sum = 0;                                                           \
    _Pragma("omp parallel num_threads(2) reduction(+ : sum)") {                \
      declaration;                                                             \
      _Pragma("omp for") ASYNC_LOOP(CLAUSES) {                                 \
        fill;                                                                  \
        const int64_t x = far(keys[i]);                                        \
        sum += value;                                                          \
      }                                                                        \
    }                                                                          \
    return sum;                                                                \
  }

/// w[j] = table[keys[i] ^ j] for j = 0, 1, ..., count - 1.
#define EACH(w, count)                                                         \
  for (int64_t j = 0; j < (count); ++j)                                        \
  (w)[j] = table[keys[i] ^ j]

using Numbers = std::vector<int64_t>;
using Array = std::array<int64_t, 8>;
using Pairs = std::vector<std::pair<int64_t, int64_t>>;

FILLED(vectorOfThread, Numbers w(8), EACH(w, 8), w[x & 7])
FILLED(ofAnyLength, Numbers w(64), EACH(w, keys[i] % 64 + 1),
       w[x % (keys[i] % 64 + 1)])
FILLED(copied, Numbers w(8), memcpy(w.data(), table + keys[i] / 2, 64),
       w[x & 7])
FILLED(counted, std::vector<uint8_t> w(16), memset(w.data(), 0, 16);
       for (int64_t j = 0; j < 8; ++j) w[table[keys[i] ^ j] & 15] += 1,
       w[x & 15])
FILLED(arrayOnHeap, auto w = std::make_unique<Array>(), EACH(*w, 8),
       (*w)[x & 7])
FILLED(pairs, Pairs w(2), w[0].first = keys[i];
       w[1].first = table[keys[i]], w[x & 1].first)
FILLED(oneLeadsToTheOther, Numbers v(8); Numbers w(8), EACH(v, 8);
       for (int64_t j = 0; j < 8; ++j) w[v[j] & 7] = j, v[w[x & 7] & 7])

static thread_local int64_t ofThread[8];
FILLED(threadLocal, , EACH(ofThread, 8), ofThread[x & 7])

static int64_t rows[4][32];
FILLED(rowOfThread, int64_t *w = rows[omp_get_thread_num()], EACH(w, 8),
       w[x & 7])
FILLED(rowLookedUp, , EACH(rows[omp_get_thread_num()], 8),
       rows[omp_get_thread_num()][x & 7])

static Numbers vectors[2] = {Numbers(8), Numbers(8)};
FILLED(vectorLookedUp, , Numbers &w = vectors[omp_get_thread_num()];
       EACH(w, 8), w[x & 7])

/// The same in a loop of one thread.
#define FILLED_ROW(name, row, fill)                                            \
  PROGRAM(name) {                                                              \
    int64_t sum = 0;                                                           \
    ASYNC_LOOP(CLAUSES) {                                                      \
      int64_t *w = row;                                                        \
      fill;                                                                    \
      sum += w[far(keys[i]) & 7];                                              \
    }                                                                          \
    return sum;                                                                \
  }

FILLED_ROW(rowByNumber, rows[i & 3], EACH(w, 8))
FILLED_ROW(rowByKey, rows[keys[i] & 3], EACH(w, 8))
FILLED_ROW(rowFound, rows[table[keys[i]] & 3], EACH(w, 8))
FILLED_ROW(rowCopied, rows[i & 3], memcpy(w, table + keys[i] / 2, 64))

PROGRAM(foundAndVisited) {
  int64_t sum = 0, *w = rows[0];
  ASYNC_LOOP(CLAUSES) {
    int count = 0;
    for (int64_t j = 0; j < 16; ++j)
      if (table[keys[i] ^ j] & 1)
        w[count++] = keys[i] ^ j;
    for (int j = 0; j < count; ++j)
      sum += far(w[j]);
  }
  return sum;
}

PROGRAM(sorted) {
  int64_t sum = 0, *w = rows[0];
  ASYNC_LOOP(CLAUSES) {
    for (int j = 0; j < 8; ++j) {
      const int64_t x = far(keys[i] ^ j);
      int at = j;
      for (; at > 0 && w[at - 1] > x; --at)
        w[at] = w[at - 1];
      w[at] = x;
    }
    sum += w[3] * table[w[1]];
  }
  return sum;
}

PROGRAM(fromTheLastTwo) {
  int64_t sum = 0, *w = rows[0];
  ASYNC_LOOP(CLAUSES) {
    w[0] = keys[i];
    w[1] = table[keys[i]];
    for (int j = 2; j < 8 + (i & 7); ++j)
      w[j] = w[j - 1] + w[j - 2] + far(w[j - 1] & 63);
    sum += w[7];
  }
  return sum;
}

PROGRAM(readWhileFilled) {
  int64_t sum = 0, *w = rows[0];
  ASYNC_LOOP(CLAUSES) {
    for (int j = 0; j < 8; ++j) {
      w[j] = table[keys[i] ^ j];
      sum += w[far(keys[i] ^ j) % (j + 1)];
    }
  }
  return sum;
}

static const int64_t permutation[8] = {3, 1, 4, 0, 5, 7, 2, 6};
NOINLINE static int64_t permuted(int64_t j) { return (j + 3) & 7; }
NOINLINE static int64_t read(const int64_t *w, int64_t at) { return w[at]; }
FILLED_ROW(filledInOrder, rows[0],
           for (int64_t j = 0; j < 8; ++j)
               w[permutation[j]] = table[keys[i] ^ j])
FILLED_ROW(orderOfFunction, rows[0],
           for (int64_t j = 0; j < 8; ++j) w[permuted(j)] = table[keys[i] ^ j])

static int64_t counts[8], ordered[16];
PROGRAM(sortedByDigit) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    for (int64_t digit = 0; digit < 8; ++digit)
      counts[digit] = digit * 2;
    for (int64_t j = 0; j < 8; ++j)
      ordered[counts[j ^ (keys[i] & 7)]++] = table[keys[i] ^ j];
    sum += ordered[(far(keys[i]) & 7) * 2];
  }
  return sum;
}

static int64_t block[8][8], *rowsOf[8];
PROGRAM(behindPointers) {
  int64_t sum = 0;
  for (int64_t j = 0; j < 8; ++j)
    rowsOf[j] = block[j];
  ASYNC_LOOP(CLAUSES) {
    for (int64_t j = 0; j < 64; ++j)
      rowsOf[j / 8][j % 8] = table[keys[i] ^ j];
    const int64_t x = far(keys[i]);
    sum += block[x & 7][x >> 3 & 7];
  }
  return sum;
}

PROGRAM(readByFunction) {
  int64_t sum = 0, *w = rows[0];
  ASYNC_LOOP(CLAUSES) {
    int64_t x = keys[i];
    for (int64_t j = 0; j < 8; ++j) {
      w[j] = x;
      sum += read(w, x % (j + 1));
      x = far(x);
    }
  }
  return sum;
}

PROGRAM(firstReadByFunction) {
  int64_t sum = 0, *w = rows[0];
  ASYNC_LOOP(CLAUSES) {
    int64_t x = keys[i];
    for (int64_t j = 0; j < 8; ++j) {
      w[j] = x + j;
      sum += read(w, 0) * x;
      x = far(x);
    }
  }
  return sum;
}

// Each iteration has a row of its own.
static int64_t own[Elements][8];
FILLED_ROW(ofItsOwn, own[i], EACH(w, 8))

int main() {
  prepare();
  printPrograms();
}
