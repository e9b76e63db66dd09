// Greatest and least of a value and a constant next to the ends of its type,
// which an optimizer writes without an order: `x > 126 ? x : 126` on eight bits
// is `x == 127 ? 127 : 126`. All of them may come in any order, and so may
// those that keep a value between two limits.
//
// REQUIRES: plugin
// RUN: %heddle_clang -fheddle-check -O0 %s -o %t
// RUN: HEDDLE_CHECK=json:%t.json %t && FileCheck %s < %t.json
// RUN: %heddle_clang -fheddle-check -O1 %s -o %t
// RUN: HEDDLE_CHECK=json:%t.json %t && FileCheck %s < %t.json
// RUN: %heddle_clang -fheddle-check -O2 %s -o %t
// RUN: HEDDLE_CHECK=json:%t.json %t && FileCheck %s < %t.json
// RUN: %heddle_clang -fheddle-check -O3 %s -o %t
// RUN: HEDDLE_CHECK=json:%t.json %t && FileCheck %s < %t.json
// CHECK: {"conflicts": []}
//
// Beside other limits, the order counts.
// RUN: %heddle_clang -fheddle-check -O1 -DTWO_LIMITS %s -o %t
// RUN: %t 2>&1 | FileCheck --check-prefix=TWO %s
// TWO: reads what another iteration wrote: 'two_values[0]'
// TWO: heddle: 1 conflict between iterations

#include <stdbool.h>
#include <stdint.h>

enum { N = 400, PLACES = 16 };

#define LOOP(NAME, TYPE, ...)                                                  \
  static TYPE NAME##_values[PLACES];                                           \
  __attribute__((noinline)) static void NAME(int n) {                          \
    for (int k = 0; k < PLACES; ++k)                                           \
      NAME##_values[k] = (TYPE)(k * 0x1111111111111111 + (k & 1));             \
    _Pragma("heddle async") for (int i = 0; i < n; ++i) {                      \
      TYPE *p = &NAME##_values[i % PLACES];                                    \
      __VA_ARGS__;                                                             \
    }                                                                          \
  }

#ifndef TWO_LIMITS
#define OF_TYPE(NAME, TYPE, LEAST, MOST)                                       \
  LOOP(NAME##_max_1, TYPE, *p = *p > (MOST) - 1 ? *p : (MOST) - 1)             \
  LOOP(NAME##_max_2, TYPE, *p = *p > (MOST) - 2 ? *p : (MOST) - 2)             \
  LOOP(NAME##_max_or_equal, TYPE, *p = *p >= (MOST) - 1 ? *p : (MOST) - 1)     \
  LOOP(NAME##_max_swapped, TYPE, *p = (MOST) - 1 < *p ? *p : (MOST) - 1)       \
  LOOP(NAME##_max_low, TYPE, *p = *p > (LEAST) + 1 ? *p : (LEAST) + 1)         \
  LOOP(NAME##_max_if, TYPE, if (*p < (MOST) - 1) *p = (MOST) - 1)              \
  LOOP(NAME##_max_if_low, TYPE, if (*p <= (LEAST)) *p = (LEAST) + 1)           \
  LOOP(NAME##_min_1, TYPE, *p = *p < (LEAST) + 1 ? *p : (LEAST) + 1)           \
  LOOP(NAME##_min_2, TYPE, *p = *p < (LEAST) + 2 ? *p : (LEAST) + 2)           \
  LOOP(NAME##_min_high, TYPE, *p = *p < (MOST) - 1 ? *p : (MOST) - 1)          \
  LOOP(NAME##_min_if, TYPE, if (*p > (LEAST) + 1) *p = (LEAST) + 1)            \
  LOOP(NAME##_equal_most, TYPE, *p = *p == (MOST) ? (MOST) : (MOST) - 1)       \
  LOOP(NAME##_unlike_most, TYPE, *p = *p != (MOST) ? *p : (MOST) - 1)          \
  LOOP(NAME##_equal_least, TYPE, *p = *p == (LEAST) ? (LEAST) + 1 : *p)        \
  LOOP(NAME##_two_steps, TYPE, TYPE x = *p > (MOST) - 3 ? *p : (MOST) - 3;     \
       *p = x > (MOST) - 1 ? x : (MOST) - 1)                                   \
  LOOP(NAME##_of_two, TYPE, TYPE x = *p > (TYPE)i ? *p : (TYPE)i;              \
       *p = x > (MOST) - 1 ? x : (MOST) - 1)                                   \
  LOOP(NAME##_clamp, TYPE, TYPE x = *p < 10 ? 10 : *p; *p = x > 100 ? 100 : x) \
  LOOP(NAME##_clamp_ends, TYPE,                                                \
       TYPE x = *p<(LEAST) + 1 ? (LEAST) + 1 : *p; *p = x>(MOST) - 1           \
                    ? (MOST) - 1                                               \
                    : x)                                                       \
  LOOP(NAME##_clamp_once, TYPE,                                                \
       *p = *p<(LEAST) + 1 ? (LEAST) + 1 : *p>(MOST) - 1 ? (MOST) - 1 : *p)    \
  static void NAME(void) {                                                     \
    NAME##_max_1(N), NAME##_max_2(N), NAME##_max_or_equal(N);                  \
    NAME##_max_swapped(N), NAME##_max_low(N), NAME##_max_if(N);                \
    NAME##_max_if_low(N), NAME##_min_1(N), NAME##_min_2(N);                    \
    NAME##_min_high(N), NAME##_min_if(N), NAME##_equal_most(N);                \
    NAME##_unlike_most(N), NAME##_equal_least(N), NAME##_two_steps(N);         \
    NAME##_of_two(N), NAME##_clamp(N), NAME##_clamp_ends(N);                   \
    NAME##_clamp_once(N);                                                      \
  }

OF_TYPE(i8, int8_t, INT8_MIN, INT8_MAX)
OF_TYPE(u8, uint8_t, 0, UINT8_MAX)
OF_TYPE(i16, int16_t, INT16_MIN, INT16_MAX)
OF_TYPE(u16, uint16_t, 0, UINT16_MAX)
OF_TYPE(i32, int32_t, INT32_MIN, INT32_MAX)
OF_TYPE(u32, uint32_t, 0, UINT32_MAX)
OF_TYPE(i64, int64_t, INT64_MIN, INT64_MAX)
OF_TYPE(u64, uint64_t, 0, UINT64_MAX)

int main(void) {
  i8(), u8(), i16(), u16(), i32(), u32(), i64(), u64();
  return 0;
}
#else
LOOP(two, int8_t,
     if (i & 16) *p = *p < 10    ? 10
                      : *p > 100 ? 100
                                 : *p;
     else *p = *p < 20   ? 20
               : *p > 90 ? 90
                         : *p)

int main(void) {
  two(N);
  return 0;
}
#endif
