// Requests for elements of rows ahead read nothing that the loop does not read:
// the rows end, or begin, beside a page that nobody may access.
//
// RUN: %same_output | FileCheck %s
// CHECK-COUNT-6: remark: requested ahead what the loop's iterations access

#include "../Inputs/program.h"

#include <algorithm>
#include <sys/mman.h>
#include <vector>

enum { Page = 4096, Pages = 8, Numbers = Pages * Page / 4 };

/// Numbers that fill pages, beside others that nobody may access.
struct Edge {
  char *const pages = static_cast<char *>(
      mmap(nullptr, (Pages + 2) * Page, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  Edge() {
    mprotect(pages, Page, PROT_NONE);
    mprotect(pages + (Pages + 1) * Page, Page, PROT_NONE);
    for (int i = 0; i < Numbers; ++i)
      first()[i] = uint32_t(scramble(i) % Elements);
  }
  ~Edge() { munmap(pages, (Pages + 2) * Page); }
  uint32_t *first() const { return reinterpret_cast<uint32_t *>(pages + Page); }
};

/// Begins of rows, and the end of the last one, so that `n` rows fill the
/// numbers. Some rows are empty, and some are long.
template <class T> std::vector<T> rows(int64_t n) {
  std::vector<T> begins(n + 1);
  for (int64_t i = 0; i <= n; ++i)
    begins[i] = T(i == n ? Numbers : Numbers * i / (n + 1) / 40 * 40);
  return begins;
}

#define LEAST(name, T)                                                         \
  PROGRAM(name) {                                                              \
    Edge edge;                                                                 \
    const uint32_t *to = edge.first();                                         \
    const std::vector<T> begin = rows<T>(n);                                   \
    std::vector<int64_t> least(n);                                             \
    ASYNC_LOOP(CLAUSES) {                                                      \
      int64_t best = table[i % Elements];                                      \
      for (T e = begin[i]; e < begin[i + 1]; ++e)                              \
        best = std::min(best, table[to[e]]);                                   \
      if (best < table[i % Elements] / 2)                                      \
        least[i] = best;                                                       \
    }                                                                          \
    int64_t sum = 0;                                                           \
    for (int64_t x : least)                                                    \
      sum = sum * 3 + x;                                                       \
    return sum;                                                                \
  }
LEAST(ofUnsigned, uint32_t)
LEAST(ofSigned, int32_t)
LEAST(ofWide, uint64_t)
LEAST(ofWideSigned, int64_t)

// Stores might change the bounds, so that the begins are read, too.
PROGRAM(withStores) {
  Edge edge;
  const uint32_t *to = edge.first();
  const std::vector<uint32_t> begin = rows<uint32_t>(n);
  std::vector<uint32_t> small(Elements);
  for (int64_t i = 0; i < Elements; ++i)
    small[i] = uint32_t(table[i]);
  ASYNC_LOOP(CLAUSES) {
    uint32_t best = ~0U;
    for (uint32_t e = begin[i]; e < begin[i + 1]; ++e)
      best = std::min(best, uint32_t(keys[to[e]]));
    if (best > 2000)
      small[i] = best;
  }
  int64_t sum = 0;
  for (uint32_t x : small)
    sum = sum * 3 + x;
  return sum;
}

// Rows that begin in front of others, or beyond the last one's end.
int64_t unordered(int64_t n, bool down) {
  Edge edge;
  const uint32_t *to = edge.first();
  std::vector<uint32_t> begin(n + 1);
  for (int64_t i = 0; i <= n; ++i)
    begin[i] = i % 5 == 3 ? uint32_t(Numbers - scramble(i) % 20)
                          : uint32_t(Numbers - 400 + scramble(i) % 300);
  if (down)
    begin[n] = 3;
  std::vector<int64_t> least(n);
  ASYNC_LOOP(CLAUSES) {
    int64_t best = table[i % Elements];
    for (uint32_t e = begin[i]; e < begin[i + 1]; ++e)
      best = std::min(best, table[to[e]]);
    if (best < table[i % Elements] / 2)
      least[i] = best;
  }
  int64_t sum = 0;
  for (int64_t x : least)
    sum = sum * 3 + x;
  return sum;
}
PROGRAM(upAndDown) { return unordered(n, false); }
PROGRAM(downInTheEnd) { return unordered(n, true); }

int main() {
  prepare();
  printPrograms();
}
