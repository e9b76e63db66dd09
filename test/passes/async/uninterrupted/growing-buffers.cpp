// Buffers of a thread that grow, one element for each iteration: the optimizer
// replaces their lengths by the number of the iteration, so that the order is
// kept.
//
// RUN: %same_output %fopenmp | FileCheck %s
// CHECK: remark: loop not interleaved

#include "../Inputs/program.h"

#include <algorithm>
#include <stdlib.h>
#include <string.h>
#include <vector>

static int64_t far(int64_t key) { return table[table[table[key]]]; }

/// A buffer of \p count elements in each thread, whose iterations do what the
/// arguments say; the sorted elements of all threads count.
#define BUFFERS(name, ...)                                                     \
  PROGRAM(name) {                                                              \
    std::vector<int64_t> all;                                                  \
    HEDDLE_PRAGMA(omp parallel) {                                              \
      int64_t *buffer = (int64_t *)malloc(8), count = 0, capacity = 1;         \
      HEDDLE_PRAGMA(omp for schedule(static) nowait)                           \
      ASYNC_LOOP(CLAUSES) {                                                    \
        __VA_ARGS__                                                            \
      }                                                                        \
      HEDDLE_PRAGMA(omp critical)                                              \
      all.insert(all.end(), buffer, buffer + count);                           \
      free(buffer);                                                            \
    }                                                                          \
    std::sort(all.begin(), all.end());                                         \
    int64_t sum = 0;                                                           \
    for (int64_t value : all)                                                  \
      sum = sum * 31 + value;                                                  \
    return sum;                                                                \
  }

#define GROW                                                                   \
  if (count == capacity) {                                                     \
    auto *longer = (int64_t *)malloc(16 * capacity);                           \
    memcpy(longer, buffer, 8 * count);                                         \
    free(buffer);                                                              \
    buffer = longer;                                                           \
    capacity *= 2;                                                             \
  }
#define REALLOCATE                                                             \
  if (count == capacity) {                                                     \
    capacity *= 2;                                                             \
    buffer = (int64_t *)realloc(buffer, 8 * capacity);                         \
  }

BUFFERS(valueFirst, const int64_t x = far(keys[i]); GROW buffer[count++] = x;)
BUFFERS(valueLast, GROW buffer[count++] = far(keys[i]);)
BUFFERS(updated, GROW const int64_t at = count++; buffer[at] = i;
        buffer[at] += far(keys[i]);)
BUFFERS(byPointer, GROW int64_t *at = &buffer[count++]; *at = i;
        const int64_t x = far(keys[i]); *at += x;)
BUFFERS(reallocated, const int64_t x = far(keys[i]);
        REALLOCATE buffer[count++] = x;)
BUFFERS(reallocatedFirst, REALLOCATE buffer[count++] = far(keys[i]);)
BUFFERS(
    sometimes,
    if (const int64_t x = far(keys[i]); x & 1) { GROW buffer[count++] = x; })

PROGRAM(blocks) {
  std::vector<int64_t> all;
#pragma omp parallel
  {
    std::vector<int64_t *> blocks;
    int64_t *block = nullptr, count = 0;
#pragma omp for schedule(static) nowait
    ASYNC_LOOP(CLAUSES) {
      const int64_t x = far(keys[i]);
      if (count % 8 == 0)
        blocks.push_back(block = (int64_t *)calloc(8, 8));
      block[count++ % 8] = x;
    }
#pragma omp critical
    for (int64_t k = 0; k < count; ++k)
      all.push_back(blocks[k / 8][k % 8]);
    for (int64_t *each : blocks)
      free(each);
  }
  std::sort(all.begin(), all.end());
  int64_t sum = 0;
  for (int64_t value : all)
    sum = sum * 31 + value;
  return sum;
}

int main() {
  prepare();
  printPrograms();
}
