// What cannot be done with far memory is an error that names the line, whatever
// the level of optimization.
//
// RUN: not %clang -O0 -c -o /dev/null %s 2>&1 | FileCheck %s
// RUN: not %clang -O2 -c -o /dev/null %s 2>&1 | FileCheck %s

#include "heddle/far.h"

// CHECK: errors.c:[[@LINE+2]]:{{.*}}error: {{.*}}atomic accesses to far memory are not possible
void count(heddle_far long *counter) {
  __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

// CHECK: errors.c:[[@LINE+2]]:{{.*}}error: {{.*}}atomic accesses to far memory are not possible
long look(heddle_far const long *counter) {
  return __atomic_load_n(counter, __ATOMIC_RELAXED);
}

// CHECK: errors.c:[[@LINE+2]]:{{.*}}error: {{.*}}pointers to far memory and to memory are not converted into each other
const long *near_by(heddle_far const long *far_away) {
  return (const long *)far_away;
}
