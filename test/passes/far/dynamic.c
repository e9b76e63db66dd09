// A task requests, suspends if it must, and is resumed when it has what it has
// requested; the access itself waits no more.
//
// RUN: %clang -O2 -S -emit-llvm -o - %s | FileCheck %s

#include "../support/loop.h"
#include "heddle/far.h"

// CHECK-LABEL: define {{.*}}@gather(
// The loop as it was, whose accesses wait, for a condition that is false.
// CHECK: call ptr @heddle_far_load(i64 %{{.*}}, i64 8)
// CHECK: %[[FREE:.*]] = call noalias align 64 dereferenceable_or_null(1280) ptr @heddle.contexts.begin(
// CHECK: call void @llvm.memcpy{{.*}}(ptr {{.*}}%[[FREE]], ptr {{.*}}@heddle.slots, i64 256
// CHECK: %[[AMU:.*]] = call ptr @heddle_amu_begin(ptr nonnull getelementptr inbounds nuw (i8, ptr @heddle.site, i64 44), i64 %
// Tasks are launched into free slots.
// CHECK: %[[PLACE:.*]] = getelementptr inbounds i8, ptr %[[FREE]], i64 %{{.*}}
// CHECK: %[[SLOT:.*]] = load i8, ptr %[[PLACE]]
// CHECK: %[[ID:.*]] = zext i8 %[[SLOT]] to i64
// CHECK: call void @heddle_amu_aload(ptr nonnull %[[AMU]], i64 %[[ID]], i64 %{{.*}}, i64 8)
// CHECK: call zeroext i1 @heddle_amu_await(ptr nonnull %[[AMU]], i64 %[[ID]])
// CHECK: call i64 @heddle_amu_getfin(ptr nonnull %[[AMU]])
// CHECK: call void @heddle_amu_end(ptr nonnull %[[AMU]])
// A task that waits makes room for others while there are fewer than there
// should be.
// CHECK: %[[MORE:.*]] = load i64, ptr %[[AMU]]
// CHECK: icmp ult i64 %{{.*}}, %[[MORE]]
// CHECK: call i64 @heddle_amu_getfin(ptr nonnull %[[AMU]])
// A task that has what it needs ends, and gives its slot back.
// CHECK: call ptr @heddle_far_load(i64 %{{.*}}, i64 8)
// CHECK: %[[LAST:.*]] = getelementptr inbounds i8, ptr %[[FREE]], i64 %
// CHECK: store i8 %{{.*}}, ptr %[[LAST]]
long gather(heddle_far const long *table, const int *index, int n) {
  long sum = 0;
  ASYNC_LOOP(scheduler(dynamic))
    sum += table[index[i]];
  return sum;
}

// So it is with updates, and with stores, which need the rest of their page.
// CHECK-LABEL: define {{.*}}@histogram(
// CHECK: call void @heddle_amu_astore(ptr {{.*}}, i64 %{{.*}}, i64 %{{.*}}, i64 8)
// CHECK: call zeroext i1 @heddle_amu_await(
// CHECK: call i64 @heddle_amu_getfin(
// CHECK: atomicrmw add ptr %{{.*}}, i64 1 monotonic
void histogram(heddle_far long *counts, const int *index, int n) {
  ASYNC_LOOP(scheduler(dynamic))
    __atomic_fetch_add(&counts[index[i]], 1, __ATOMIC_RELAXED);
}

// CHECK-LABEL: define {{.*}}@scatter(
// CHECK: call void @heddle_amu_astore(ptr {{.*}}, i64 %{{.*}}, i64 %{{.*}}, i64 8)
// CHECK: call zeroext i1 @heddle_amu_await(
// CHECK: call i64 @heddle_amu_getfin(
// CHECK: call void @heddle_far_store(
void scatter(heddle_far long *to, const int *index, int n) {
  ASYNC_LOOP(scheduler(dynamic))
    to[index[i]] = i;
}

struct record {
  int first;
  char rest[92];
  long last;
};

// The fields of an object are one request, to where the last one begins.
// CHECK-LABEL: define {{.*}}@fields(
// CHECK: call ptr @heddle_amu_begin(
// CHECK: %[[FROM:.*]] = ptrtoint ptr addrspace(100) %{{.*}} to i64
// CHECK-NEXT: call void @heddle_amu_aload(ptr {{.*}}, i64 %{{.*}}, i64 %[[FROM]], i64 97)
// CHECK-NOT: heddle_amu_aload
// CHECK: call zeroext i1 @heddle_amu_await(
long fields(heddle_far const struct record *table, const int *index, int n) {
  long sum = 0;
  ASYNC_LOOP(scheduler(dynamic))
    sum += table[index[i]].first + table[index[i]].last;
  return sum;
}
