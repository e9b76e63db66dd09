// Buffers that each iteration fills or reads by vector instructions that are
// neither loads nor stores: gathers, scatters, masked ones, non-temporal ones.
//
// REQUIRES: x86-64
// RUN: %same_output -fno-exceptions | FileCheck %s
// CHECK-COUNT-16: between the write and the use of a variable that all iterations share
// CHECK-COUNT-2: remark: interleaved the loop's iterations
// CHECK-NOT: interleaved

#include "../Inputs/program.h"
#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx2,avx512f,avx512vl"))), \
                             apply_to = function)

static int64_t far(int64_t key) { return table[table[table[key]]]; }
static int64_t rows[4][32], own[Elements][8];
static double reals[32];

/// w[j] = table[keys[i] ^ j] for j = 0, 1, ..., 7.
#define EACH(w)                                                                \
  for (int64_t j = 0; j < 8; ++j)                                              \
  (w)[j] = table[keys[i] ^ j]

using Indices = __m256i;
static Indices indices(int64_t x) {
  return _mm256_set_epi64x(x & 7, x >> 3 & 7, x >> 6 & 7, x >> 9 & 7);
}
static __m512i wideIndices(int64_t x) {
  return _mm512_set_epi64(x & 7, x >> 1 & 7, x >> 2 & 7, x >> 3 & 7, x >> 4 & 7,
                          x >> 5 & 7, x >> 6 & 7, x >> 7 & 7);
}
static __m512i inOrder() { return _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0); }
static int64_t sum(__m256i v) { return v[0] + 3 * v[1] + 5 * v[2] + 7 * v[3]; }
static int64_t sum(__m512i v) { return _mm512_reduce_add_epi64(v); }
static __m256i odd(int64_t x) { return _mm256_set_epi64x(-1, 0, -1, -(x & 1)); }

static __m256i gather(const int64_t *w, int64_t x) {
  return _mm256_i64gather_epi64((const long long *)w, indices(x), 8);
}
NOINLINE static int64_t gathered(const int64_t *w, int64_t x) {
  return sum(gather(w, x));
}
NOINLINE static void scatter(int64_t *w, int64_t x) {
  _mm512_i64scatter_epi64(w, inOrder(), _mm512_set1_epi64(x), 8);
}

/// A loop whose iterations do \p fill, wait for x, and add \p value to the sum.
#define FILLED(name, row, fill, value)                                         \
  PROGRAM(name) {                                                              \
    int64_t total = 0;                                                         \
    ASYNC_LOOP(CLAUSES) {                                                      \
      auto *w = row;                                                           \
      fill;                                                                    \
      const int64_t x = far(keys[i]);                                          \
      total += value;                                                          \
    }                                                                          \
    return total;                                                              \
  }

FILLED(gatherOne, rows[0], EACH(w), sum(gather(w, x)))
FILLED(gatherByNumber, rows[i & 3], EACH(w), sum(gather(w, x)))
FILLED(gatherByKey, rows[keys[i] & 3], EACH(w), sum(gather(w, x)))
FILLED(gatherSome, rows[0], EACH(w),
       sum(_mm256_mask_i64gather_epi64(indices(i), (const long long *)w,
                                       indices(x), odd(x), 8)))
FILLED(gatherReals, reals, EACH(w),
       int64_t(_mm256_i64gather_pd(w, indices(x), 8)[1]))
FILLED(gatherWide, rows[0], EACH(w),
       sum(_mm512_i64gather_epi64(wideIndices(x), w, 8)))
FILLED(scatterOne, rows[0],
       _mm512_i64scatter_epi64(w, inOrder(), wideIndices(keys[i]), 8), w[x & 7])
FILLED(scatterAndGather, rows[0],
       _mm512_i64scatter_epi64(w, inOrder(), wideIndices(keys[i]), 8),
       sum(gather(w, x)))
FILLED(maskedLoad, rows[0], EACH(w),
       sum(_mm256_maskload_epi64((const long long *)w, odd(x))))
FILLED(maskedStore, rows[0],
       _mm256_maskstore_epi64((long long *)w, _mm256_set1_epi64x(-1),
                              indices(keys[i])),
       w[x & 3])
FILLED(unaligned, rows[0], EACH(w),
       sum(_mm256_lddqu_si256((const __m256i *)(w + (x & 3)))))
FILLED(bytesByMask, rows[0],
       _mm_maskmoveu_si128(_mm_set_epi64x(keys[i], i), _mm_set1_epi8(-1),
                           (char *)w);
       _mm_sfence(), w[x & 1])
FILLED(compressed, rows[0],
       _mm512_mask_compressstoreu_epi64(w, 0xff, wideIndices(keys[i])),
       w[x & 7])
FILLED(expanded, rows[0], EACH(w), sum(_mm512_maskz_expandloadu_epi64(x, w)))
FILLED(byFunctions, rows[0], scatter(w, keys[i]), gathered(w, x))
FILLED(byOneFunction, rows[i & 1], EACH(w), gathered(w, x))

// Each iteration has a row of its own.
FILLED(ofItsOwn, own[i], EACH(w), sum(gather(w, x)))
FILLED(ofItsOwnMasked, own[i],
       _mm256_maskstore_epi64((long long *)w, _mm256_set1_epi64x(-1),
                              indices(keys[i])),
       w[x & 3])

#pragma clang attribute pop

int main() {
  prepare();
  if (__builtin_cpu_supports("avx512vl"))
    printPrograms();
  else
    puts("This processor has no such instructions.");
}
