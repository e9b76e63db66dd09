// The loop carries the directive's property in place of the borrowed hint, and
// is kept from being unrolled or vectorised for its own sake; other hints stay.
//
// RUN: %clangxx -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes=heddle-async-mark -S %t.ll | FileCheck %s

// CHECK-LABEL: define {{.*}}withHint
// CHECK: br label {{.*}}!llvm.loop [[LOOP:![0-9]+]]
void withHint(const long *keys, long *out, long n) {
#pragma heddle async
#pragma clang loop unroll(disable)
  for (long i = 0; i < n; ++i)
    out[keys[i]] = i;
}

// A user's own hint of the borrowed kind.
// CHECK-LABEL: define {{.*}}withoutDirective
// CHECK: br label {{.*}}!llvm.loop [[PLAIN:![0-9]+]]
void withoutDirective(const long *keys, long *out, long n) {
#pragma clang loop pipeline_initiation_interval(10) unroll(disable)
  for (long i = 0; i < n; ++i)
    out[keys[i]] = i;
}

// CHECK: [[LOOP]] = distinct !{[[LOOP]], {{.*}}[[UNROLL:![0-9]+]], [[ASYNC:![0-9]+]], [[DISABLE:![0-9]+]]}
// CHECK: [[UNROLL]] = !{!"llvm.loop.unroll.disable"}
// CHECK: [[ASYNC]] = !{!"heddle.async", i32 1212498944}
// CHECK-NEXT: [[DISABLE]] = !{!"llvm.loop.disable_nonforced"}
// CHECK: [[PLAIN]] = distinct !{[[PLAIN]], {{.*}}[[INTERVAL:![0-9]+]]
// CHECK: [[INTERVAL]] = !{!"llvm.loop.pipeline.initiationinterval", i32 10}
