// An exception that leaves an iteration ends the program, at every level of
// optimisation: calls become invokes, and clean-ups are left out.
//
// RUN: %clangxx -O0 -Wno-pass-failed -fno-discard-value-names -emit-llvm -S -o - %s | FileCheck --check-prefixes=CHECK,O0 %s
// RUN: %clangxx -O1 -Xclang -disable-llvm-passes -fno-discard-value-names -emit-llvm -S -o - %s | %opt -passes=heddle-async-mark,verify -S | FileCheck %s
// RUN: %clangxx -O0 -fno-exceptions -DNO_EXCEPTIONS -Wno-pass-failed -fno-discard-value-names -emit-llvm -S -o - %s | FileCheck --check-prefix=NONE %s
// RUN: %clang -x c -O0 -DNO_EXCEPTIONS -Wno-pass-failed -fno-discard-value-names -emit-llvm -S -o - %s | FileCheck --check-prefix=NONE %s
// RUN: %clang -x c -O0 -fexceptions -DNO_EXCEPTIONS -Wno-pass-failed -fno-discard-value-names -emit-llvm -S -o - %s | FileCheck --check-prefix=NONE %s

#include "../support/loop.h"

void act(long);

// NONE-NOT: invoke
// NONE-NOT: landingpad
// NONE-NOT: personality

// CHECK-LABEL: @_Z5callsl(i64 {{.*}} personality ptr @__gxx_personality_v0
// CHECK: invoke void @_Z3actl
// CHECK-NEXT: to label %{{.*}} unwind label %[[PAD:heddle.terminate[0-9]*]]
// CHECK: call void @_Z3actl
// CHECK: [[PAD]]:
// CHECK-NEXT: [[LANDED:%.*]] = landingpad { ptr, i32 }
// CHECK-NEXT: catch ptr null
// CHECK-NEXT: [[EXCEPTION:%.*]] = extractvalue { ptr, i32 } [[LANDED]], 0
// CHECK-NEXT: call void @__clang_call_terminate(ptr [[EXCEPTION]])
// CHECK-NEXT: unreachable
void calls(long n) {
  ASYNC_LOOP()
    act(i);
  act(n);
}

#ifndef NO_EXCEPTIONS

struct Guard {
  ~Guard();
};

// CHECK-LABEL: @_Z7unwindsl(
// CHECK: invoke void @_Z3actl
// CHECK-NEXT: to label %{{.*}} unwind label %[[PAD:heddle.terminate[0-9]*]]
// CHECK: invoke void @_Z3actl
// CHECK-NEXT: to label %{{.*}} unwind label %[[CLEANUP:lpad[0-9]*]]
// CHECK: [[CLEANUP]]:
// CHECK-NEXT: landingpad { ptr, i32 }
// CHECK-NEXT: cleanup
// CHECK-NOT: landingpad
// CHECK: resume { ptr, i32 }
// CHECK: [[PAD]]:
void unwinds(long n) {
  Guard guard;
  ASYNC_LOOP() {
    Guard own;
    act(i);
  }
  act(n);
}

// CHECK-LABEL: @_Z6throwsl(
// CHECK: invoke void @__cxa_throw(
// CHECK-NEXT: to label %{{.*}} unwind label %[[PAD:heddle.terminate[0-9]*]]
// CHECK: [[PAD]]:
void throws(long n) {
  ASYNC_LOOP()
    if (i == 7)
      throw i;
}

// CHECK-LABEL: @_Z14catchesOneTypel(
// CHECK: invoke void @_Z3actl
// CHECK-NEXT: to label %{{.*}} unwind label %[[OWN:lpad[0-9]*]]
// CHECK: [[OWN]]:
// CHECK-NEXT: landingpad { ptr, i32 }
// CHECK: catch ptr @_ZTIi
// CHECK-NEXT: catch ptr null
// CHECK-NEXT: extractvalue
// CHECK: br i1 %{{.*}}, label %catch, label %[[UNHANDLED:heddle.unhandled[0-9]*]]
// CHECK-NOT: resume
// CHECK: [[UNHANDLED]]:
// CHECK-NEXT: call void @__clang_call_terminate(ptr
// CHECK-NEXT: unreachable
void catchesOneType(long n) {
  ASYNC_LOOP()
    try {
      act(i);
    } catch (int) {
    }
}

// CHECK-LABEL: @_Z12caughtAroundl(
// CHECK-NOT: heddle.{{terminate|unhandled}}
// CHECK: {{^}}}
void caughtAround(long n) {
  try {
    ASYNC_LOOP() {
      Guard own;
      try {
        act(i);
      } catch (long) {
      }
      act(n);
    }
  } catch (int) {
  }
}

// A handler that ends the program is the iteration's own.
// CHECK-LABEL: @_Z11handlerEndsl(
// CHECK: invoke void @_Z3actl
// CHECK-NEXT: to label %{{.*}} unwind label %[[OWN:lpad[0-9]*]]
// CHECK: [[OWN]]:
// CHECK: catch ptr @_ZTIi
// CHECK-NEXT: catch ptr null
// CHECK: call {{.*}}@__cxa_begin_catch
// CHECK: call void @abort()
// CHECK-NOT: resume
// CHECK: heddle.unhandled
void handlerEnds(long n) {
  ASYNC_LOOP()
    try {
      act(i);
    } catch (int) {
      __builtin_abort();
    }
}

// An end that other code has in common with the loop stays as it is for that.
// O0-LABEL: @_Z10sharedEndsl(
// O0: {{^}}failed:
// O0-NEXT: call void @_Z3actl
// O0-NEXT: call void @abort()
// O0: {{^}}failed.end:
// O0-NEXT: invoke void @_Z3actl
void sharedEnds(long n) {
  if (n == 7)
    goto failed;
  ASYNC_LOOP()
    if (i == 5)
      goto failed;
  return;
failed:
  act(3);
  __builtin_abort();
}

#endif
