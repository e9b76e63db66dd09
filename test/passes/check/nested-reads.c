// Memory that an annotated loop only reads needs no record of that, unless an
// iteration of another annotated loop runs the loop. The comment in front of
// each function says what is found.
//
// REQUIRES: plugin
// RUN: %heddle_clang -fheddle-check -O1 %s -o %t
// RUN: HEDDLE_CHECK=json:%t.json %t && %S/Inputs/expected-findings %s %t.json
// RUN: %heddle_clang -fheddle-check -O0 %s -o %t
// RUN: HEDDLE_CHECK=json:%t.json %t && %S/Inputs/expected-findings %s %t.json

#include <stdint.h>
enum { N = 100 };
static uint64_t sums[N + 1], index_of[N];
static uint64_t out;

// silent
static __attribute__((noinline)) uint64_t sum_before(int end) {
  uint64_t sum = 0;
#pragma heddle async
  for (int i = 0; i < end; ++i)
    sum += sums[index_of[i]];
  return sum;
}
// finds: reads what another iteration wrote
static void nested_in_callee(void) {
#pragma heddle async
  for (int i = 1; i < N; ++i)
    sums[i] = sum_before(i) + 1;
}
// finds: reads what another iteration wrote
static void nested_here(void) {
#pragma heddle async
  for (int i = 1; i < N; ++i) {
    uint64_t sum = 2;
#pragma heddle async
    for (int j = 0; j < i; ++j)
      sum += sums[index_of[j]];
    sums[i] = sum;
  }
}
// silent
static void alone(void) { out = sum_before(N); }
// finds: reads what another iteration wrote
static void written_by_name(void) {
#pragma heddle async
  for (int i = 1; i < N; ++i) {
    sums[N] = sums[index_of[i - 1]];
    sums[i] = sums[N];
  }
}
static void __attribute__((noinline)) put(int at, uint64_t value) {
  sums[at] = value;
}
// finds: reads what another iteration wrote
static void written_in_callee(void) {
#pragma heddle async
  for (int i = 1; i < N; ++i)
    put(i, sums[index_of[i - 1]] + 1);
}
int main(void) {
  for (int i = 0; i < N; ++i)
    index_of[i] = i;
  nested_in_callee();
  nested_here();
  alone();
  written_by_name();
  written_in_callee();
}
