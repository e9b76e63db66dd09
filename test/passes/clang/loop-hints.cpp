// The directive shares a loop with other pragmas and attributes, in any order.
//
// RUN: %clangxx -std=c++20 -Werror -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s

// CHECK-LABEL: define {{.*}}pragmas
// CHECK: call {{.*}}@__heddle_mark(
// CHECK: !llvm.loop [[BEFORE:![0-9]+]]
// CHECK: call {{.*}}@__heddle_mark(
// CHECK: !llvm.loop [[AFTER:![0-9]+]]
// CHECK: call {{.*}}@__heddle_mark(
// CHECK: !llvm.loop [[SEVERAL:![0-9]+]]
void pragmas(int n, int *p) {
#pragma clang loop unroll(disable)
#pragma heddle async
  for (int i = 0; i < n; ++i)
    ++p[i];
#pragma heddle async
#pragma clang loop unroll(disable)
  for (int i = 0; i < n; ++i)
    ++p[i];
#pragma unroll(4)
#pragma heddle async
#pragma clang loop vectorize(disable) interleave(disable)
#pragma clang loop distribute(disable)
  for (int i = 0; i < n; ++i)
    ++p[i];
}

// CHECK-LABEL: define {{.*}}attributes
// CHECK-COUNT-4: call {{.*}}@__heddle_mark(
void attributes(int n, int *p) {
  if (n) [[likely]]
#pragma heddle async
    for (int i = 0; i < n; ++i)
      ++p[i];
#pragma heddle async
  [[clang::nomerge]] for (int i = 0; i < n; ++i)
    ++p[i];
#pragma heddle async
  __attribute__((nomerge)) for (int i = 0; i < n; ++i)
    ++p[i];
label:
#pragma heddle async
#pragma unroll
  for (int i = 0; i < n; ++i)
    ++p[i];
  if (p[0])
    goto label;
}

// CHECK-DAG: [[DISABLED:![0-9]+]] = !{!"llvm.loop.unroll.disable"}
// CHECK-DAG: [[UNROLL:![0-9]+]] = !{!"llvm.loop.unroll.count", i32 4}
// CHECK-DAG: [[FIRST:![0-9]+]] = !{!"llvm.loop.pipeline.initiationinterval", i32 1212498944}
// CHECK-DAG: [[SECOND:![0-9]+]] = !{!"llvm.loop.pipeline.initiationinterval", i32 1212498945}
// CHECK-DAG: [[THIRD:![0-9]+]] = !{!"llvm.loop.pipeline.initiationinterval", i32 1212498946}
// CHECK-DAG: [[BEFORE]] = distinct !{[[BEFORE]], {{.*}}[[DISABLED]], [[FIRST]]}
// CHECK-DAG: [[AFTER]] = distinct !{[[AFTER]], {{.*}}[[DISABLED]], [[SECOND]]}
// CHECK-DAG: [[SEVERAL]] = distinct !{[[SEVERAL]], {{.*}}[[UNROLL]]{{.*}}}
