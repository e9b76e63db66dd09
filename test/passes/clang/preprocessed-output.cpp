// The output of -E holds the directives, and compiling it gives the same
// program.
//
// RUN: %clangxx -E %s -o %t.ii
// RUN: FileCheck --check-prefix=TEXT %s < %t.ii
// RUN: %clangxx -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %t.ii | FileCheck %s
// RUN: %clangxx -E -P -fminimize-whitespace %s -o %t.minimal.ii
// RUN: %clangxx -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %t.minimal.ii | FileCheck %s
// RUN: %clangxx -E -C %s -o %t.comments.ii
// RUN: %clangxx -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %t.comments.ii | FileCheck %s
// RUN: %clangxx -E -frewrite-includes %s -o %t.rewritten.cpp
// RUN: %clangxx -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %t.rewritten.cpp | FileCheck %s
// RUN: %clangxx -save-temps=obj -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o %t.saved.ll %s
// RUN: FileCheck %s < %t.saved.ll
//
// Other compilers take it, too.
// RUN: %gxx -Wno-unknown-pragmas -fsyntax-only -x c++-cpp-output %t.ii

#define COUNT 16
#define HINTS tasks(COUNT) scheduler(lockstep)
#define near
#define EACH(i, n) _Pragma("heddle async tasks(4)") for (int i = 0; i < n; ++i)

void loops(int n, int *p) {
  // TEXT: {{^}}# 1 "{{.*}}/HeddlePlugin.so" 1
  // TEXT: {{^}}#pragma heddle library {{[0-9A-F]+$}}
  // TEXT: {{^}}#pragma heddle async tasks(16) scheduler(lockstep) near(p) if (n > 16){{$}}
  // CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 1, i32 noundef 16, i32 noundef 2, i32 noundef 2, i32 noundef 9, ptr noundef %{{.*}}, i32 noundef 4, i32 noundef %{{.*}})
#pragma heddle async HINTS near(p) \
    if (n > COUNT)
  for (int i = 0; i < n; ++i)
    ++p[i];
  // TEXT-NOT: library
  // TEXT: {{^}}#pragma heddle async tasks(4){{$}}
  // CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 1, i32 noundef 4)
  EACH(k, n) { ++p[k]; }
  // TEXT: {{^}}#pragma heddle async if (*"\"\\"){{$}}
  // CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 4, i32 noundef 1)
#pragma heddle async if (*"\"\\")
  for (int i = 0; i < n; ++i)
    ++p[i];
}
