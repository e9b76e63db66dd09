// AsyncMark turns the front end's call into one with the clauses that
// AsyncSplit needs, and tags accesses for the others.
//
// RUN: %clangxx -O1 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes=heddle-async-mark -S %t.ll | FileCheck %s

// CHECK-LABEL: define {{.*}}clauses
// CHECK: %sum = alloca
// CHECK: %scratch = alloca
// CHECK-NOT: @__heddle_mark
// CHECK: call void (i32, ...) @__heddle_async(i32 1212498944, i32 1, i32 16, i32 3, i32 3, i32 2, i32 2, i32 6, ptr {{.*}}%sum, i32 7, ptr {{.*}}%scratch, i32 12, i32 5, i32 4, i32 %{{.*}})
// CHECK-NOT: @__heddle_async
// CHECK: load i64, ptr %{{.*}}, !heddle.remote [[TAG:![0-9]+]]
// CHECK-NOT: !heddle.remote
// CHECK: load i64, ptr %{{.*}}, !heddle.near [[TAG]]
// CHECK-NOT: !heddle.{{remote|near}}
// CHECK: br label %for.cond, {{.*}}!llvm.loop [[LOOP:![0-9]+]]
long clauses(const long *far, const long *close, const int *keys, long n) {
  long sum = 0, scratch = 0;
#pragma heddle async remote(far) near(close) tasks(16) coalesce(3)             \
    scheduler(lockstep) shared(sum) sequential(scratch) suspensions(5) if (n)
  for (long i = 0; i < n; ++i) {
    sum += far[i] + close[keys[i]] + keys[i];
    ++scratch;
  }
  return sum + scratch;
}

// A mark in the innermost body of a collapsed nest speaks for the outer loop.
// CHECK-LABEL: define {{.*}}nest
// CHECK: call void (i32, ...) @__heddle_async(i32 1212498945)
// CHECK: call void (i32, ...) @__heddle_async(i32 1212498946, i32 1, i32 4)
void nest(const int *keys, long *table, long n) {
#pragma heddle async
  for (long i = 0; i < n; ++i)
#pragma heddle async tasks(4)
    for (long j = 0; j < n; ++j)
      table[keys[i + j]] = j;
}

// CHECK: declare void @__heddle_async(i32, ...) [[ATTRIBUTES:#[0-9]+]]
// CHECK: attributes [[ATTRIBUTES]] = { nounwind willreturn memory(inaccessiblemem: readwrite) }
// CHECK: [[LOOP]] = distinct !{[[LOOP]], {{.*}}[[ASYNC:![0-9]+]], [[DISABLE:![0-9]+]]}
// CHECK: [[ASYNC]] = !{!"heddle.async", i32 1212498944}
// CHECK: [[DISABLE]] = !{!"llvm.loop.disable_nonforced"}
