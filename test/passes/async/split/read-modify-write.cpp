// No suspension separates the load from the store of an update: its place is
// requested, for writing, before both.
//
// RUN: %clangxx -O2 -Rpass=heddle -Rpass-missed=heddle -Rpass-analysis=heddle -Wno-pass-failed -Xclang -verify -c -o /dev/null %s
// RUN: %clangxx -O2 -fno-discard-value-names -S -emit-llvm -o - %s | FileCheck %s

#include "../../support/loop.h"

// Requested once, in each of the two launches.
// CHECK-LABEL: define {{.*}}histogram
// CHECK: call void @llvm.prefetch.p0(ptr {{.*}}, i32 1, i32 3, i32 1)
// CHECK-NOT: @llvm.prefetch.p0({{.*}}, i32 0,
// CHECK-LABEL: define {{.*}}gathered
void histogram(const int *keys, long *counts, long n) {
  // expected-remark@+1 {{1 suspension point, 1 request,}}
  ASYNC_LOOP(scheduler(fifo))
    counts[keys[i]] += i;
}

// The addend is requested together with the place.
void gathered(const int *places, const int *keys, const long *table,
              long *counts, long n) {
  // expected-remark@+1 {{1 suspension point, 2 requests,}}
  ASYNC_LOOP(scheduler(lockstep))
    counts[places[i]] += table[keys[i]];
}

// One that is done only sometimes is not requested for writing: threads that
// mostly read a line would take it from each other.
// CHECK-LABEL: define {{.*}}claimed
// CHECK-NOT: @llvm.prefetch.p0({{.*}}, i32 1,
// CHECK-LABEL: define {{.*}}smallest
void claimed(const int *keys, int *owner, int who, long n) {
  // expected-remark@+1 {{1 suspension point, 1 request,}}
  ASYNC_LOOP(scheduler(fifo))
    if (__atomic_load_n(&owner[keys[i]], __ATOMIC_RELAXED) < 0)
      __sync_bool_compare_and_swap(&owner[keys[i]], -1, who);
}

// CHECK-NOT: @llvm.prefetch.p0({{.*}}, i32 1,
// CHECK-LABEL: define {{.*}}bothWays
void smallest(const int *keys, const long *cost, long *least, long n) {
  // expected-remark@+1 {{1 suspension point, 2 requests,}}
  ASYNC_LOOP(scheduler(fifo))
    if (cost[keys[i]] < least[keys[i]])
      least[keys[i]] = cost[keys[i]];
}

// Done on either way, it is done.
// CHECK-NOT: @llvm.prefetch.p0({{.*}}, i32 0,
// CHECK: call void @llvm.prefetch.p0(ptr {{.*}}, i32 1, i32 3, i32 1)
// CHECK-LABEL: define {{.*}}between
void bothWays(const int *keys, long *counts, long n) {
  // expected-remark@+1 {{1 suspension point, 1 request,}}
  ASYNC_LOOP(scheduler(fifo)) {
    long old = counts[keys[i]];
    counts[keys[i]] = old < n ? old + i : old ^ i;
  }
}

// For an address that is known only in between, the update is rehearsed.
void between(const int *keys, const double *table, long *counts, long n) {
  // expected-remark@+1 {{1 suspension point, 2 requests (1 early),}}
  ASYNC_LOOP(scheduler(lockstep)) {
    long old = counts[keys[i]];
    counts[keys[i]] = old + long(table[old]);
  }
}

// Neither within a lock.
void acquireLock() noexcept;
void releaseLock() noexcept;
// expected-remark@+6 {{the latency of this access is not hidden: it lies between}}
void locked(const int *keys, const long *table, long *sum, long n) {
  // expected-remark@+1 {{1 suspension point, 1 request,}}
  ASYNC_LOOP(scheduler(lockstep)) {
    long value = table[keys[i]];
    acquireLock();
    *sum += table[value];
    releaseLock();
  }
}

// An update at a place of each iteration's own may be split: no other iteration
// comes there.
void ownPlace(const int *keys, const double *table, long *out, long n) {
  // expected-remark@+1 {{1 suspension point, 1 request,}}
  ASYNC_LOOP(scheduler(lockstep))
    out[i] += long(table[out[i] & 0xffff]);
}
