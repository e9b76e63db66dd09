// A transformed loop asks the site tuner which version to run, and has a
// default where no runtime is linked; a schedule that is asked for leaves no
// choice but the number of tasks.
//
// RUN: %clangxx -O2 -fno-discard-value-names -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clangxx -O2 -fno-discard-value-names -S -emit-llvm -o - %s | FileCheck --check-prefix=SITES %s

// file, function, line, versions (all three), default (lockstep), fixed tasks,
// room, suspension points, nothing decided.
// SITES-DAG: [[FILE:@heddle.file[.0-9]*]] = {{.*}} c"{{.*}}versions.cpp\00"
// SITES-DAG: [[CHOSEN:@heddle.function[.0-9]*]] = {{.*}} c"_Z6chosenPKlS0_l\00"
// SITES-DAG: @heddle.site = internal global {{.*}} { ptr [[FILE]], ptr [[CHOSEN]], i32 [[#@LINE + 30]], i32 7, i32 1, i32 0, i32 128, i32 1, i32 0, i32 0, [24 x i64] zeroinitializer }, align 64
// SITES-DAG: @heddle.site.{{[0-9]+}} = internal global {{.*}} i32 [[#@LINE + 38]], i32 2, i32 1, i32 10, i32 10, i32 1, i32 0, i32 0,
// SITES-DAG: @heddle.site.{{[0-9]+}} = internal global {{.*}} i32 [[#@LINE + 47]], i32 4, i32 2, i32 0, i32 128, i32 1, i32 0, i32 0,
// SITES-DAG: declare extern_weak void @heddle_site_begin(ptr, i64, ptr)
// SITES-DAG: declare extern_weak void @heddle_site_end(ptr, ptr, i64, i64, i64)
// SITES-DAG: !{!"branch_weights", i32 16, i32 1}

// CHECK-LABEL: define {{.*}}chosen
// Few iterations, if they are to run serially, have a copy of the loop.
// CHECK: [[TINY:%.*]] = icmp ult i64 {{.*}}, 8
// CHECK-NEXT: br i1 [[TINY]], label %[[COPY:for.body.plain.*]], label %heddle.not.tiny
// The serial version, with the directive's property.
// CHECK: {{^}}for.body:
// CHECK-NOT: call void @llvm.prefetch
// CHECK: br i1 {{.*}}!llvm.loop
// Too few iterations, or no runtime, and there is nothing to ask.
// Registers go to the serial version first.
// CHECK-DAG: br i1 {{.*}}label %heddle.tasks{{.*}}, !prof
// CHECK-DAG: phi i32 {{.*}}[ 48, %heddle.
// CHECK-DAG: br i1 {{.*}}label %heddle.short, label %heddle.chunk{{.*}}, !prof
// CHECK-DAG: load atomic i32, ptr {{.*}}@heddle.site, i64 40) monotonic
// CHECK-DAG: and i32 {{.*}}, -2147483393
// CHECK-DAG: icmp eq i32 {{.*}}, -2147483648
// CHECK-DAG: br i1 {{.*}}label %[[COPY]], label %heddle.chunk{{.*}}, !prof
// CHECK-DAG: icmp eq ptr @heddle_site_begin, null
// CHECK-DAG: call void @heddle_site_begin(ptr nonnull @heddle.site,
// CHECK-DAG: call void @heddle_site_end(ptr nonnull @heddle.site,
long chosen(const long *keys, const long *table, long n) {
  long sum = 0;
#pragma heddle async
  for (long i = 0; i < n; ++i)
    sum += table[table[keys[i]]];
  return sum;
}

// CHECK-LABEL: define {{.*}}lockstep
long lockstep(const long *keys, const long *table, long n) {
  long sum = 0;
#pragma heddle async scheduler(lockstep) tasks(10)
  for (long i = 0; i < n; ++i)
    sum += table[table[keys[i]]];
  return sum;
}

// CHECK-LABEL: define {{.*}}fifo
// CHECK-DAG: phi i32 {{.*}}[ 24, %heddle.
long fifo(const long *keys, const long *table, long n) {
  long sum = 0;
#pragma heddle async scheduler(fifo)
  for (long i = 0; i < n; ++i)
    sum += table[table[keys[i]]];
  return sum;
}
