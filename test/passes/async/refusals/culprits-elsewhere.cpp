// Remarks name the file of code that is not in the loop's own, the function or
// variable at fault, the instance of a template, and what can be done.
//
// RUN: %clangxx -O2 -Rpass=heddle -Rpass-missed=heddle -Rpass-analysis=heddle -Wno-pass-failed -c -o /dev/null %s 2>&1 | FileCheck %s

#include "Inputs/culprits.h"

long a(const long *keys, const long *table, long n) {
  long sum = 0;
  // CHECK: [[@LINE+3]]:5: remark: loop not interleaved: an exception that the call of 'log_line(long)' throws would leave it for the handler in line [[@LINE+6]] ({{.*}}Inputs/culprits.h:6); catch it inside the iteration
  try {
#pragma heddle async
    for (long i = 0; i < n; ++i)
      sum += throwing(table[keys[i]]);
    return sum;
  } catch (int) {
    return -1;
  }
}

long b(const long *keys, const long *table, long n) {
  long sum = 0;
  // CHECK: [[@LINE+2]]:3: remark: loop not interleaved: it contains inline assembly, which must not be duplicated ({{.*}}Inputs/culprits.h:11); move it out of the loop [
#pragma heddle async
  for (long i = 0; i < n; ++i)
    sum += assembly(table[keys[i]]);
  return sum;
}

// CHECK-DAG: culprits.h:19:3: remark: loop not interleaved: it allocates stack memory dynamically (line 21) (in 'long sum_copies<long>({{.*}})'); allocate it before the loop:
// CHECK-DAG: culprits.h:19:3: remark: loop not interleaved: it allocates stack memory dynamically (line 21) (in 'long sum_copies<int>({{.*}})'); allocate it before the loop:
long c(const long *keys, const long *table, long n) {
  return sum_copies(keys, table, n);
}
long d(const int *keys, const int *table, long n) {
  return sum_copies(keys, table, n);
}

long position;

void e(const long *keys, const long *steps, long n) {
  // CHECK: [[@LINE+2]]:3: remark: {{.*}}the variable 'position'
#pragma heddle async
  for (long i = 0; i < n; ++i)
    advance(steps + keys[i]);
}

void f(const long *keys, Slot *slots, const long *far, long n) {
  // CHECK: culprits.h:40:{{[0-9]+}}: remark: the latency of this access is not hidden: a suspension here would split a read-modify-write (from line 38 to line 40); load what it needs before the access that decides on the update [
#pragma heddle async
  for (long i = 0; i < n; ++i)
    update(slots[keys[i]], far, keys[i]);
}

void g(const long *keys, int *words, long *sums, const long *far, long n) {
  // CHECK: [[@LINE+4]]:{{[0-9]+}}: remark: the latency of this access is not hidden: it lies between the acquire and the release of a lock (from {{.*}}Inputs/culprits.h:45 to {{.*}}Inputs/culprits.h:49); access it before the lock is taken [
#pragma heddle async
  for (long i = 0; i < n; ++i) {
    lock(words + keys[i]);
    sums[keys[i]] += far[far[keys[i]]];
    unlock(words + keys[i]);
  }
}

long unseen(const long *, ...) noexcept;

long h(const long *table, long n) {
  long sum = 0;
  // CHECK: [[@LINE+2]]:3: remark: loop not interleaved: what the call of 'unseen(long const*, ...)' accesses is not seen, {{.*}}; let the function be inlined:
#pragma heddle async
  for (long i = 0; i < n; ++i)
    sum += unseen(table + i);
  return sum;
}
