// An inner loop that may end the program before its count reads ahead only in
// the page that it has come to: behind it there may be nothing.
//
// RUN: %same_output | FileCheck %s
// CHECK-COUNT-4: remark: interleaved the loop's iterations

#include "../Inputs/appended.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <vector>

enum { Page = 4096, Row = 24 };

/// Elements up to the end of a page, or from its beginning on, beside a page
/// that nobody may access.
template <class T> struct Edge {
  char *const pages =
      static_cast<char *>(mmap(nullptr, 4 * Page, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  Edge() {
    mprotect(pages, Page, PROT_NONE);
    mprotect(pages + 3 * Page, Page, PROT_NONE);
  }
  ~Edge() { munmap(pages, 4 * Page); }
  T *first() const { return reinterpret_cast<T *>(pages + Page); }
  T *end() const { return reinterpret_cast<T *>(pages + 3 * Page); }
};

#define ENDS(name, prepared, begin, ...)                                       \
  PROGRAM(name) {                                                              \
    Edge<uint32_t> edge;                                                       \
    for (uint32_t *at = edge.first(); at != edge.end(); ++at)                  \
      *at = uint32_t(scramble(at - edge.first()) % Elements);                  \
    prepared;                                                                  \
    return fateOf([&] {                                                        \
      int64_t sum = 0;                                                         \
      ASYNC_LOOP(CLAUSES) {                                                    \
        const uint32_t *row = begin;                                           \
        std::vector<int64_t> found;                                            \
        for (int k = 0; k < Row; ++k) {                                        \
          __VA_ARGS__;                                                         \
        }                                                                      \
        for (int64_t x : found)                                                \
          sum += x;                                                            \
      }                                                                        \
      return sum;                                                              \
    });                                                                        \
  }

// The last rows go beyond the end.
ENDS(forwards, edge.end()[-1] = Elements - 1;
     table[Elements - 1] = -7, edge.end() - 4 * Row + keys[i] % (3 * Row + 12),
     const int64_t x = table[row[k]];
     if (x < 0) abort(); found.push_back(x))
ENDS(backwards, edge.first()[0] = Elements - 1;
     table[Elements - 1] = -9,
     edge.first() + 4 * Row - keys[i] % (3 * Row + 12),
     const int64_t x = table[row[-k]];
     if (x < 0) abort(); found.push_back(x))
ENDS(everySecond, edge.end()[-2] = Elements - 1;
     table[Elements - 1] = -5,
     edge.end() - 8 * Row + 2 * (keys[i] % (3 * Row + 12)),
     const int64_t x = table[row[2 * k]];
     if (x < 0) abort(); found.push_back(x))
// Nothing ends these, which are within the pages.
ENDS(inside, (void)0, edge.first() + keys[i] % (2 * Page / 4 - Row),
     const int64_t x = table[row[k]];
     if (x < 0) abort(); found.push_back(x))

int main() {
  prepare();
  printPrograms();
}
