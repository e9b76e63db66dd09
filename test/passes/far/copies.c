// Objects that are copied or filled as a whole are requested as a whole, and
// tasks wait for them.
//
// RUN: %clang -O2 -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clang -O2 -c -o /dev/null -Rpass=heddle -Rpass-missed=heddle -Rpass-analysis=heddle %s 2>&1 | FileCheck %s --check-prefix=REMARK

#include "heddle/far.h"

#include <string.h>

struct record {
  char bytes[256];
};
struct large {
  char bytes[5000];
};

long use(struct record *record);
void make(struct record *record, int i);
long use_large(struct large *large);

// CHECK-LABEL: define {{.*}}@load(
// CHECK: call void @heddle_amu_aload(ptr {{.*}}, i64 %{{.*}}, i64 %{{.*}}, i64 256)
// CHECK: call zeroext i1 @heddle_amu_await(
// CHECK: call void @heddle_far_read(ptr {{.*}}, i64 %{{.*}}, i64 256)
long load(heddle_far const struct record *table, const int *index, int n) {
  long sum = 0;
// REMARK: copies.c:[[@LINE+2]]:{{.*}}: remark: interleaved the loop's iterations (dynamic schedule)
#pragma heddle async scheduler(dynamic)
  for (int i = 0; i < n; ++i) {
    struct record record = table[index[i]];
    sum += use(&record);
  }
  return sum;
}

// CHECK-LABEL: define {{.*}}@store(
// CHECK: call void @heddle_amu_astore(ptr {{.*}}, i64 %{{.*}}, i64 %{{.*}}, i64 256)
// CHECK: call zeroext i1 @heddle_amu_await(
// CHECK: call void @heddle_far_store(i64 %{{.*}}, ptr {{.*}}, i64 256)
void store(heddle_far struct record *table, const int *index, int n) {
// REMARK: copies.c:[[@LINE+2]]:{{.*}}: remark: interleaved the loop's iterations (dynamic schedule)
#pragma heddle async scheduler(dynamic)
  for (int i = 0; i < n; ++i) {
    struct record record;
    make(&record, i);
    table[index[i]] = record;
  }
}

// A record that is read and written back is requested before it is read, and no
// other iteration comes between.
// CHECK-LABEL: define {{.*}}@update(
// CHECK: call void @heddle_amu_astore(ptr {{.*}}, i64 %{{.*}}, i64 %{{.*}}, i64 256)
// CHECK: call zeroext i1 @heddle_amu_await(
// CHECK: call void @heddle_far_read(
// CHECK-NOT: call zeroext i1 @heddle_amu_await(
// CHECK: call void @heddle_far_store(
void update(heddle_far struct record *table, const int *index, int n) {
// REMARK: copies.c:[[@LINE+2]]:{{.*}}: remark: interleaved the loop's iterations (dynamic schedule)
#pragma heddle async scheduler(dynamic)
  for (int i = 0; i < n; ++i) {
    struct record record = table[index[i]];
    make(&record, i);
    table[index[i]] = record;
  }
}

// CHECK-LABEL: define {{.*}}@much(
// CHECK-NOT: call void @heddle_amu_aload(
long much(heddle_far const struct large *table, const int *index, int n) {
  long sum = 0;
// REMARK: copies.c:[[@LINE+2]]:{{.*}}: remark: loop not interleaved: no suspension can hide the latency of its memory accesses: it accesses more than 4096 bytes of far memory, {{.*}} (line [[@LINE+3]])
#pragma heddle async scheduler(dynamic)
  for (int i = 0; i < n; ++i) {
    struct large large = table[index[i]];
    sum += use_large(&large);
  }
  return sum;
}
