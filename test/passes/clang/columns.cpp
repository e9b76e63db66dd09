// Errors point at the word they are about, and offer the right one.
//
// RUN: not %clangxx -fsyntax-only -fno-color-diagnostics -ferror-limit=0 %s 2>&1 | FileCheck --match-full-lines --strict-whitespace %s
// RUN: not %clangxx -fsyntax-only -fdiagnostics-parseable-fixits -ferror-limit=0 %s 2>&1 | FileCheck --check-prefix=FIX %s

void f(int n, int *p) {
// CHECK:{{.*}}columns.cpp:[[@LINE+9]]:22: error: unknown clause 'taks' of '#pragma heddle async'; did you mean 'tasks'?
// CHECK-NEXT:{{.*}}| #pragma heddle async taks(8) scheduler(lokstep)
// CHECK-NEXT:{{ +}}|                      ^~~~
// CHECK-NEXT:{{ +}}|                      tasks
// CHECK:{{.*}}columns.cpp:[[@LINE+5]]:40: error: unknown scheduler 'lokstep'; did you mean 'lockstep'?
// CHECK-NEXT:{{.*}}| #pragma heddle async taks(8) scheduler(lokstep)
// CHECK-NEXT:{{ +}}|                                        ^~~~~~~
// CHECK-NEXT:{{ +}}|                                        lockstep
// FIX: fix-it:{{.*}}:{[[@LINE+1]]:22-[[@LINE+1]]:26}:"tasks"
#pragma heddle async taks(8) scheduler(lokstep)
  // FIX: fix-it:{{.*}}:{[[@LINE-1]]:40-[[@LINE-1]]:47}:"lockstep"
  while (--n)
    ;

// FIX: fix-it:{{.*}}:{[[@LINE+1]]:16-[[@LINE+1]]:20}:"async"
#pragma heddle asyn
  while (--n)
    ;

// CHECK:{{.*}}columns.cpp:[[@LINE+3]]:39: error: argument of 'tasks' clause must be between 1 and 1024, not 2000
// CHECK-NEXT:{{.*}}| #pragma heddle async private(n) tasks(500 * 4)
// CHECK-NEXT:{{ +}}|                                       ^~~~~~~
#pragma heddle async private(n) tasks(500 * 4)
  while (--n)
    ;

// CHECK:{{.*}}columns.cpp:[[@LINE+3]]:39: error: condition of 'if' clause has side effects
// CHECK-NEXT:{{.*}}| #pragma heddle async if (n > 3 && p[n]++ > 3)
// CHECK-NEXT:{{ +}}|                                   ~~~~^~
#pragma heddle async if (n > 3 && p[n]++ > 3)
  while (--n)
    ;

// CHECK:{{.*}}columns.cpp:[[@LINE+4]]:40: error: 'n' cannot be both 'private' and 'shared'
// CHECK:{{.*}}columns.cpp:[[@LINE+3]]:30: note: named in 'private' clause here
// CHECK-NEXT:{{.*}}| #pragma heddle async private(n) shared(n)
// CHECK-NEXT:{{ +}}|                              ^
#pragma heddle async private(n) shared(n)
  while (--n)
    ;
}

void g(int n) {
// CHECK:{{.*}}columns.cpp:[[@LINE+3]]:9: error: expected a 'for', 'while' or 'do' loop after '#pragma heddle async'
// CHECK-NEXT:{{.*}}| #pragma heddle async tasks(3)
// CHECK-NEXT:{{ +}}|         ^~~~~~~~~~~~~~~~~~~~~
#pragma heddle async tasks(3)
  --n;
}
