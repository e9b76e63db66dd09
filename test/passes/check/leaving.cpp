// What comes after an exception or a jump out of a loop is no part of an
// iteration, and what an iteration has not finished does not hide conflicts.
// Exceptions get out of loops that have a handler around them.
//
// REQUIRES: plugin
// RUN: %heddle_clangxx -std=c++20 -fheddle-check -O1 %s -o %t
// RUN: HEDDLE_CHECK=json:%t.json %t && %S/Inputs/expected-findings %s %t.json
// RUN: %heddle_clangxx -std=c++20 -fheddle-check -O0 %s -o %t
// RUN: HEDDLE_CHECK=json:%t.json %t && %S/Inputs/expected-findings %s %t.json

#include <csetjmp>
#include <cstdint>
#include <mutex>
constexpr int N = 100;
static uint64_t a[2 * N], b[2 * N];
static std::jmp_buf env;

// Reads what all iterations of a loop have written, from a small frame or from
// a large one.
static __attribute__((noinline)) void read_all() {
  for (int i = 0; i + 1 < N; ++i)
    b[i] = b[i + 1] + 1;
}
static __attribute__((noinline)) void read_all_deeply() {
  volatile char large[5000];
  large[0] = 1;
  read_all();
  large[1] = large[0];
}
static inline void write_and_throw(uint64_t *to) {
  try {
#pragma heddle async
    for (int i = 0; i < N; ++i) {
      to[i] = i * 3 + 1;
      if (i == N / 2)
        throw 1;
    }
  } catch (long) {
  }
}
static __attribute__((noinline)) void write_and_jump() {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    b[i] = i * 5 + 1;
    if (i == N / 2)
      std::longjmp(env, 1);
  }
}
static __attribute__((noinline)) void jump(int i) {
  b[i] = i * 7;
  std::longjmp(env, 1);
}
static __attribute__((noinline)) void pass_on() {
  volatile char large[300];
  large[0] = 1;
  write_and_throw(b);
  large[1] = large[0];
}
struct ReadsAtEnd {
  ~ReadsAtEnd() { read_all_deeply(); }
};
static __attribute__((noinline)) void pass_on_with_cleanup() {
  ReadsAtEnd reads;
  write_and_throw(b);
}

// silent
static void caught_here() {
  try {
    write_and_throw(b);
  } catch (int) {
    read_all();
  }
  read_all_deeply();
}
// silent
static void caught_further_out() {
  try {
    pass_on();
  } catch (int) {
    read_all_deeply();
  }
}
// silent
static void caught_after_cleanup() {
  try {
    pass_on_with_cleanup();
  } catch (...) {
    read_all_deeply();
  }
}
// silent
static void caught_twice() {
  try {
    try {
      write_and_throw(b);
    } catch (int) {
      read_all_deeply();
      throw;
    }
  } catch (int) {
    read_all_deeply();
  }
}
// silent
static void caught_in_loop_around() {
#pragma heddle async
  for (int k = 0; k < 8; ++k) {
    uint64_t own[N];
    try {
      write_and_throw(own);
    } catch (int) {
      a[k] = own[k];
    }
    a[k] += 1;
  }
}
// finds: reads what another iteration wrote 'a[1]'
static void conflict_after_catch() {
#pragma heddle async
  for (int k = 1; k < 8; ++k) {
    uint64_t own[N];
    try {
      write_and_throw(own);
    } catch (int) {
    }
    a[k] = a[k - 1] + own[3];
  }
}
// silent
static void jumped_to_caller() {
  if (setjmp(env) == 0)
    write_and_jump();
  else
    read_all_deeply();
}
// silent
static void jumped_here() {
  if (setjmp(env) != 0) {
    read_all_deeply();
    for (int i = 0; i + 1 < N; ++i)
      b[i] = b[i + 1] + 1;
    return;
  }
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    b[i] = i * 5 + 1;
    if (i == N / 2)
      std::longjmp(env, 1);
  }
}
// silent
static void jumped_from_callee() {
  if (setjmp(env) != 0) {
    for (int i = 0; i + 1 < N; ++i)
      b[i] = b[i + 1] + 1;
    return;
  }
#pragma heddle async
  for (int i = 0; i < N; ++i)
    if (i == N / 2)
      jump(i);
    else
      b[i] = i * 9;
}
// silent
static void jumped_within_iteration() {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    std::jmp_buf own;
    if (setjmp(own) == 0) {
      b[i] = i * 7 + 1;
      std::longjmp(own, 1);
    } else {
      b[N + i] = b[i];
    }
  }
}
static int tries;
// finds: reads what another iteration wrote 'a[3]'
static void conflict_after_call_once() {
  static std::once_flag once;
  tries = 0;
#pragma heddle async
  for (int i = 1; i < N; ++i) {
    try {
      std::call_once(once, [] {
        if (++tries < 3)
          throw 1;
      });
    } catch (int) {
    }
    a[i] = a[i - 1] + 2;
  }
}
struct Late {
  Late() {
    if (++tries < 3)
      throw 1;
  }
};
// finds: reads what another iteration wrote 'a[1]'
static void conflict_after_static() {
  tries = 0;
#pragma heddle async
  for (int i = 1; i < N; ++i) {
    try {
      static Late late;
    } catch (int) {
    }
    a[i] = a[i - 1] + 3;
  }
}
int main() {
  caught_here();
  caught_further_out();
  caught_after_cleanup();
  caught_twice();
  caught_in_loop_around();
  conflict_after_catch();
  jumped_to_caller();
  jumped_here();
  jumped_from_callee();
  jumped_within_iteration();
  conflict_after_call_once();
  conflict_after_static();
}
