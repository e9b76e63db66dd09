// Directives in a precompiled header work in the files that include it.
//
// RUN: %clangxx -O1 -x c++-header %s -o %t.pch
// RUN: %clangxx -O1 -include-pch %t.pch -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s

#ifndef HEADER
#define HEADER
template <class T> void generic(T *p, int n) {
#pragma heddle async remote(p) tasks(sizeof(T))
  for (int i = 0; i < n; ++i)
    ++p[i];
}
inline void plain(int *p, int n) {
#pragma heddle async near(p)
  for (int i = 0; i < n; ++i)
    ++p[i];
}
#else
// CHECK-LABEL: define {{.*}}own
// CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 6, ptr noundef %{{.*}})
void own(long *p, int *q, int n) {
#pragma heddle async shared(n)
  for (int i = 0; i < n; ++i)
    ++p[i];
  generic(p, n);
  plain(q, n);
}
// CHECK-LABEL: define {{.*}}generic
// CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 8, ptr noundef %{{.*}}, i32 noundef 1, i32 noundef 8)
// CHECK-LABEL: define {{.*}}plain
// CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 9, ptr noundef %{{.*}})
#endif
