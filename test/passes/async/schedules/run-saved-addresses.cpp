// The address of an element of a static array is kept while a task waits. LLVM
// has found out before that no memory holds such an address, and would take
// what a task reads from its context to lead elsewhere: the stores to the array
// would sink behind the read.
//
// RUN: %same_output | FileCheck %s
// CHECK-COUNT-4: remark: interleaved

#include "../Inputs/program.h"

#include <cstdlib>

static thread_local uint64_t buffer[4][5];
static uint64_t *memory = (uint64_t *)malloc(sizeof(buffer));
static uint64_t totals[Elements];

// Each iteration fills the place before it reads it.
#define READ_BEHIND_WRITES(NAME, PLACE)                                        \
  PROGRAM(NAME) {                                                              \
    for (uint64_t &total : totals)                                             \
      total = 0;                                                               \
    const int64_t *wide = table;                                               \
    ASYNC_LOOP(CLAUSES) {                                                      \
      const int64_t row = table[keys[i]];                                      \
      uint64_t *const place = PLACE;                                           \
      const int64_t wanted = uint64_t(table[table[i]]) % 5;                    \
      uint64_t *const read = &place[wanted];                                   \
      for (int64_t e = 0; e < 1 + (row & 3); ++e) {                            \
        const int64_t x = wide[table[(row + e * 7) % Elements]];               \
        for (int64_t k = 0; k < 5; ++k)                                        \
          place[k] = nodes[table[(x + k) % Elements]].value;                   \
        __atomic_fetch_add(&totals[row], *read, __ATOMIC_RELAXED);             \
      }                                                                        \
    }                                                                          \
    uint64_t sum = 0;                                                          \
    for (uint64_t total : totals)                                              \
      sum = sum * 31 + total;                                                  \
    return sum;                                                                \
  }
READ_BEHIND_WRITES(ofOneRow, buffer[2])
READ_BEHIND_WRITES(ofChosenRow, buffer[row & 3])
READ_BEHIND_WRITES(ofEither, (row & 1) ? buffer[1] : buffer[2])
READ_BEHIND_WRITES(ofMemory, memory + 10)

int main() {
  prepare();
  printPrograms();
}
