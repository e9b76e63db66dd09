// Greatest and least values of which a compiler may write the comparison in
// another way: `old < x + 1` is `old <= x`. The comment in front of each
// function says what is found.
//
// REQUIRES: plugin
// RUN: %heddle_clang -fheddle-check -O1 %s -o %t
// RUN: HEDDLE_CHECK=json:%t.json %t && %S/Inputs/expected-findings %s %t.json
// RUN: %heddle_clang -fheddle-check -O0 %s -o %t
// RUN: HEDDLE_CHECK=json:%t.json %t && %S/Inputs/expected-findings %s %t.json

#include <stdint.h>
#include <string.h>
enum { N = 600, M = 1024 };
#define K (A[B[i]] % 8)
static uint64_t A[M], B[M];
static struct {
  uint64_t most, payload;
} best[8];
static uint32_t u32[8];
static int32_t i32[8];
static int8_t i8[8];
static uint16_t u16[8];
static int64_t i64[8];
// silent
static void above(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    uint64_t c = A[B[i]] % 4000 + 1;
    if (best[c % 8].most < c) {
      best[c % 8].most = c;
      best[c % 8].payload = B[A[c % M]];
    }
  }
}
// silent
static void above_narrow(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    uint32_t c = A[B[i]] % 100 + 1;
    if (u32[K] < c)
      u32[K] = c;
  }
}
// silent
static void below(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    int32_t c = (int)(A[B[i]] % 100) - 1;
    if (i32[K] > c)
      i32[K] = c;
  }
}
// silent
static void or_equal(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    int32_t c = (int)(A[B[i]] % 100);
    if (i32[K] <= c)
      i32[K] = c + 1;
  }
}
// silent
static void above_byte(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    int8_t c = (int8_t)(A[B[i]] % 100 + 1);
    if (i8[K] < c)
      i8[K] = c;
  }
}
// silent
static void above_half(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    uint16_t c = (uint16_t)(A[B[i]] % 100 + 1);
    if (u16[K] < c)
      u16[K] = c;
  }
}
// silent
static void not_above(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    int64_t c = (int64_t)(A[B[i]] % 100) + 1;
    if (!(i64[K] >= c))
      i64[K] = c;
  }
}
// silent
static void not_below(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    int64_t c = (int64_t)(A[B[i]] % 100) - 1;
    if (!(i64[K] <= c))
      i64[K] = c;
  }
}
// silent
static void odd_numbers(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    uint64_t c = (A[B[i]] % 50 << 1) + 1;
    if (best[K].most < c) {
      best[K].most = c;
      best[K].payload = c * 3;
    }
  }
}
// silent
static void odd_bits(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    uint64_t c = (A[B[i]] % 50 << 1) | 1;
    if (best[K].most < c) {
      best[K].most = c;
      best[K].payload = c * 3;
    }
  }
}
static __attribute__((noinline)) void raise(uint32_t *place, uint32_t x) {
  if (*place < x + 1)
    *place = x + 1;
}
// silent
static void in_callee(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i)
    raise(&u32[K], A[B[i]] % 100);
}
// silent
static void several_times(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < 3; ++j) {
      uint64_t c = (A[B[i]] + j) % 70 + 1;
      if (best[c % 8].most < c) {
        best[c % 8].most = c;
        best[c % 8].payload = B[A[c]];
      }
    }
}
// finds: update torn between lines
static void overtaken(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    int32_t c = (int)(A[B[i]] % 100);
    if (i32[K] < c)
      i32[K] = c + 1;
  }
}
// finds: update torn between lines
static void turned(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    int32_t c = (int)(A[B[i]] % 100);
    if (i32[K] >= c)
      i32[K] = c + 1;
  }
}
// finds: update torn between lines
static void undercut(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    int32_t c = (int)(A[B[i]] % 100);
    if (i32[K] <= c)
      i32[K] = c - 1;
  }
}
static void set_all(int value) {
  memset(best, 0, sizeof best);
  for (int i = 0; i < 8; ++i)
    u32[i] = i8[i] = u16[i] = i32[i] = i64[i] = value;
}
int main(void) {
  for (int i = 0; i < M; i++)
    A[i] = (i * 2654435761u >> 7) % M, B[i] = (i * 7919u) % M;
  set_all(0);
  above();
  set_all(0);
  above_narrow();
  set_all(50);
  below();
  set_all(0);
  or_equal();
  set_all(0);
  above_byte();
  set_all(0);
  above_half();
  set_all(0);
  not_above();
  set_all(50);
  not_below();
  set_all(0);
  odd_numbers();
  set_all(0);
  odd_bits();
  set_all(0);
  in_callee();
  set_all(0);
  several_times();
  set_all(0);
  overtaken();
  set_all(99);
  turned();
  set_all(0);
  undercut();
}
