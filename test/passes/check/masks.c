// Masks of all bits or none, which a compiler turns into choices between the
// old value and a constant. The comment in front of each function says what is
// found.
//
// REQUIRES: plugin
// RUN: %heddle_clang -fheddle-check -O1 %s -o %t
// RUN: HEDDLE_CHECK=json:%t.json %t && %S/Inputs/expected-findings %s %t.json
// RUN: %heddle_clang -fheddle-check -O2 %s -o %t
// RUN: HEDDLE_CHECK=json:%t.json %t && %S/Inputs/expected-findings %s %t.json

#include <stdint.h>
enum { N = 1024, Slots = 64 };
static uint64_t wide[Slots];
static uint8_t narrow[Slots];
static int32_t numbers[Slots];
static uint32_t keys[N];
#define K keys[i]
#define P keys[K] % Slots
// silent
static void set_bits(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i)
    wide[P] |= (uint64_t)(K % 3 == 0) - 1;
}
// silent
static void clear_bits(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i)
    wide[P] &= (uint64_t)(K % 5 == 0) - 1;
}
// silent
static void set_all_or_some(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    wide[P] |= (uint64_t)(K % 3 == 0) - 1;
    wide[P] |= K;
  }
}
// silent
static void multiply_by_flags(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i)
    wide[P] *= K % 7 != 0;
}
// silent
static void set_narrow(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i)
    narrow[P] |= (uint8_t)-(K % 3 == 1);
}
// silent
static void clear_narrow(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i)
    narrow[P] &= K % 11 == 1 ? 0 : 255;
}
// silent
static void clear_numbers(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i)
    numbers[P] &= K & 2 ? 0 : -1;
}
// finds: update torn between lines
static void set_or_clear(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i)
    if (K & 1)
      numbers[P] |= K & 2 ? 0 : -1;
    else
      numbers[P] &= K & 2 ? 0 : -1;
}
int main(void) {
  for (int i = 0; i < N; ++i)
    keys[i] = i * 2654435761u >> 22;
  for (int i = 0; i < Slots; ++i)
    numbers[i] = i + 1;
  set_bits();
  clear_bits();
  set_all_or_some();
  multiply_by_flags();
  set_narrow();
  clear_narrow();
  clear_numbers();
  set_or_clear();
}
