// Macros are expanded in clauses, but names of clauses are not macros.
//
// RUN: %clangxx -Werror -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s

// As some system headers do.
#define near
#define remote far

#define COUNT 16
#define TWICE(x) (2 * (x))
#define HINTS tasks(COUNT) scheduler(lockstep)
#define NOTHING
#define STRING(x) #x
#define PRAGMA(x) _Pragma(STRING(x))
#define EACH(i, n) _Pragma("heddle async tasks(4)") for (int i = 0; i < n; ++i)
#define SAME(...) __VA_ARGS__
#define HEDDLE_LOOP for

void loops(int n, int *p) {
  // CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 1, i32 noundef 16, i32 noundef 2, i32 noundef 2, i32 noundef 9, ptr noundef %{{.*}}, i32 noundef 3, i32 noundef 32)
#pragma heddle async HINTS NOTHING near(p) coalesce(TWICE(COUNT))
  for (int i = 0; i < n; ++i)
    ++p[i];
  // CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 8, ptr noundef %{{.*}}, i32 noundef 1, i32 noundef 8)
#pragma heddle async remote(p) \
    tasks(COUNT / \
          2) // as many as there are
  for (int i = 0; i < n; ++i)
    ++p[i];
  // CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 1, i32 noundef 4)
  EACH(i, n) { ++p[i]; }
  // CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 1, i32 noundef 5)
  SAME(_Pragma("heddle async tasks(5)") for (int i = 0; i < n; ++i) ++p[i];)
  // CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 1, i32 noundef 6)
  _Pragma("heddle async tasks(6)") for (int i = 0; i < n; ++i) ++p[i];
  // CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 1, i32 noundef 7)
  PRAGMA(heddle async tasks(7))
  for (int i = 0; i < n; ++i)
    ++p[i];
  // CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 1, i32 noundef 8)
#pragma heddle async tasks(8)
  HEDDLE_LOOP(int i = 0; i < n; ++i) ++p[i];
}
