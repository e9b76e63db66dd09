// A task requests, suspends if it must, and is resumed when it has what it has
// requested; the access itself waits no more.
//
// RUN: %clang -O2 -S -emit-llvm -o - %s | FileCheck %s

#include "heddle/far.h"

// CHECK-LABEL: define {{.*}}@gather(
// The loop as it was, whose accesses wait, for a condition that is false.
// CHECK: call ptr @heddle_far_load(i64 %{{.*}}, i64 8)
// CHECK: %[[AMU:.*]] = call ptr @heddle_amu_begin()
// CHECK: %[[ID:.*]] = call i64 @heddle_amu_getfin(ptr %[[AMU]])
// The first tasks are launched and queued.
// CHECK: call void @heddle_amu_aload(ptr %[[AMU]], i64 %[[LIVE:[^,]*]], i64 %{{.*}}, i64 8)
// CHECK: call void @heddle_amu_queue(ptr %[[AMU]], i64 %[[LIVE]])
// CHECK: call void @heddle_amu_end(ptr %[[AMU]])
// A task that has what it needs ends, and the next takes its place.
// CHECK: call ptr @heddle_far_load(i64 %{{.*}}, i64 8)
// CHECK: call void @heddle_amu_aload(ptr %[[AMU]], i64 %[[ID]], i64 %{{.*}}, i64 8)
// CHECK: call zeroext i1 @heddle_amu_await(ptr %[[AMU]], i64 %[[ID]])
long gather(heddle_far const long *table, const int *index, int n) {
  long sum = 0;
#pragma heddle async scheduler(dynamic)
  for (int i = 0; i < n; ++i)
    sum += table[index[i]];
  return sum;
}

// So it is with updates, and with stores, which need the rest of their page.
// CHECK-LABEL: define {{.*}}@histogram(
// CHECK: call i64 @heddle_amu_getfin(
// CHECK: call void @heddle_amu_astore(ptr %{{.*}}, i64 %{{.*}}, i64 %{{.*}}, i64 8)
// CHECK: call void @heddle_amu_queue(
// CHECK: atomicrmw add ptr %{{.*}}, i64 1 monotonic
// CHECK: call zeroext i1 @heddle_amu_await(
void histogram(heddle_far long *counts, const int *index, int n) {
#pragma heddle async scheduler(dynamic)
  for (int i = 0; i < n; ++i)
    __atomic_fetch_add(&counts[index[i]], 1, __ATOMIC_RELAXED);
}

// CHECK-LABEL: define {{.*}}@scatter(
// CHECK: call i64 @heddle_amu_getfin(
// CHECK: call void @heddle_amu_astore(ptr %{{.*}}, i64 %{{.*}}, i64 %{{.*}}, i64 8)
// CHECK: call void @heddle_amu_queue(
// CHECK: call void @heddle_far_store(
// CHECK: call zeroext i1 @heddle_amu_await(
void scatter(heddle_far long *to, const int *index, int n) {
#pragma heddle async scheduler(dynamic)
  for (int i = 0; i < n; ++i)
    to[index[i]] = i;
}

struct record {
  int first;
  char rest[92];
  long last;
};

// The fields of an object are one request, to where the last one begins.
// CHECK-LABEL: define {{.*}}@fields(
// CHECK: call i64 @heddle_amu_getfin(
// CHECK: %[[FROM:.*]] = ptrtoint ptr addrspace(100) %{{.*}} to i64
// CHECK-NEXT: call void @heddle_amu_aload(ptr %{{.*}}, i64 %{{.*}}, i64 %[[FROM]], i64 97)
// CHECK-NOT: heddle_amu_aload
// CHECK: call void @heddle_amu_queue(
long fields(heddle_far const struct record *table, const int *index, int n) {
  long sum = 0;
#pragma heddle async scheduler(dynamic)
  for (int i = 0; i < n; ++i)
    sum += table[index[i]].first + table[index[i]].last;
  return sum;
}
