// An operation that is impossible in far memory is an error that names the
// line, at every level of optimization.
//
// RUN: not %clang -O0 -c -o /dev/null %s 2>&1 | FileCheck %s
// RUN: not %clang -O2 -c -o /dev/null %s 2>&1 | FileCheck %s

#include "heddle/far.h"

struct __attribute__((packed)) record {
  char tag;
  long counter;
};

// It may lie in two pages.
// CHECK: errors.c:[[@LINE+2]]:{{.*}}error: {{.*}}atomic accesses to far memory have to be aligned to their size
void count(heddle_far struct record *record) {
  __atomic_fetch_add(&record->counter, 1, __ATOMIC_RELAXED);
}

// A callee of the compiler's own runtime library knows nothing of far memory.
// CHECK: errors.c:[[@LINE+1]]:{{.*}}error: {{.*}}a pointer to far memory cannot be converted to an ordinary pointer, or back
void add(heddle_far _Atomic(long double) *sum) { *sum += 1; }

// CHECK: errors.c:[[@LINE+2]]:{{.*}}error: {{.*}}a pointer to far memory cannot be converted to an ordinary pointer, or back
const long *near_by(heddle_far const long *far_away) {
  return (const long *)far_away;
}

struct block {
  long values[64];
};

// The runtime copies to and from ordinary memory.
// CHECK: errors.c:[[@LINE+3]]:{{.*}}error: {{.*}}far memory is copied to and from ordinary memory only, not other address spaces
void load_segment(__attribute__((address_space(256))) struct block *to,
                  heddle_far const struct block *from) {
  *to = *from;
}

// CHECK: errors.c:[[@LINE+4]]:{{.*}}error: {{.*}}far memory is copied to and from ordinary memory only, not other address spaces
void store_segment(heddle_far struct block *to,
                   __attribute__((address_space(256)))
                   const struct block *from) {
  *to = *from;
}
