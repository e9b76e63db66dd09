// A callee that is handed a variable of the iteration may change other memory
// as well: loads of that memory stay behind the call.
//
// RUN: %clangxx -O0 %s -o %t.plain && %t.plain >%t.expected
// RUN: %clangxx -O1 %s -o %t && %t | diff %t.expected -
// RUN: %clangxx -O3 %s -o %t && %t | diff %t.expected -
// RUN: %clangxx -O3 -DCLAUSES='scheduler(fifo)' %s -o %t && %t | diff %t.expected -

#include <cstdint>
#include <cstdio>

#ifndef CLAUSES
#define CLAUSES
#endif
#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define DIRECTIVE(...) PRAGMA(heddle async __VA_ARGS__)

enum { Elements = 1 << 12 };
static int64_t table[Elements];
static int64_t counts[Elements];

// The address does not leave the callee.
__attribute__((noinline)) static void change(int64_t *values,
                                             int64_t at) noexcept {
  values[1] += values[0];
  counts[at] += values[1];
}

__attribute__((noinline)) int64_t besideLocals(int64_t n) {
  int64_t sum = 0;
  DIRECTIVE(CLAUSES)
  for (int64_t i = 0; i < n; ++i) {
    int64_t values[2] = {i, 1};
    const int64_t at = table[table[i % Elements]];
    const int64_t before = counts[at];
    change(values, at);
    sum += counts[at] - before + values[1];
  }
  return sum;
}

int main() {
  for (int64_t i = 0; i < Elements; ++i)
    table[i] = i * 2654435761u % Elements;
  std::printf("%ld\n", long(besideLocals(3000)));
}
