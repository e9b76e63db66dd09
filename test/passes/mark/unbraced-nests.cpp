// Where the directive stands in front of loops without braces between them,
// what its clauses compute is computed again in the loop that it is for.
//
// RUN: %clangxx -O2 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %opt -passes=heddle-async-mark,verify -S | FileCheck %s
// RUN: %clangxx -O2 -Rpass=heddle -S -o /dev/null %s

extern int rows[100][5];
extern short out[];
extern const int *flag;

// CHECK-LABEL: define {{.*}}@_Z9remainderl(
// CHECK: %[[REST:.*]] = srem i64 %{{.*}}, 2
// CHECK: %[[IS:.*]] = icmp ne i64 %[[REST]], 0
// CHECK: %[[IF:.*]] = select i1 %[[IS]], i32 1, i32 0
// CHECK-NEXT: call void (i32, ...) @__heddle_async(i32 {{[0-9]+}}, i32 12, i32 1, i32 4, i32 %[[IF]])
void remainder(long count) {
#pragma heddle async suspensions(1) if (count % 2)
  for (long i = 0; i < count / 5; ++i)
    for (int j = 0; j < 5; ++j) {
      int x = rows[i][j];
      out[x * 5 + j] = 1;
    }
}

// It takes a branch not to follow the null pointer, and the marker stays where
// it is executed once an iteration.
// CHECK-LABEL: define {{.*}}@_Z7guardedl(
// CHECK: call void (i32, ...) @__heddle_async(i32 {{[0-9]+}}, i32 4, i32 0)
void guarded(long count) {
#pragma heddle async if (flag && *flag)
  for (long i = 0; i < count / 5; ++i)
    for (int j = 0; j < 5; ++j) {
      int x = rows[i][j];
      out[x * 5 + j] = 1;
    }
}
