// Every clause arrives at the marker call as MarkProtocol.h says, in the order
// in which they were written, and the loop carries the same number.
//
// RUN: %clangxx -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: FileCheck %s < %t.ll
// RUN: FileCheck --check-prefix=DECLARATION %s < %t.ll

#define LOOP for (int i = 0; i < n; ++i) ++p[i]

int condition;

// CHECK-LABEL: define {{.*}}tasks
void tasks(int n, int *p) {
  // CHECK: call void (i32, ...) @__heddle_mark(i32 noundef [[FIRST:1212498944]], i32 noundef 1, i32 noundef 16)
  // CHECK: br label {{.*}}, !llvm.loop [[LOOP:![0-9]+]]
#pragma heddle async tasks(16)
  LOOP;
  // CHECK: @__heddle_mark(i32 noundef 1212498945, i32 noundef 1, i32 noundef 0)
#pragma heddle async tasks(auto)
  LOOP;
}

// CHECK-LABEL: define {{.*}}schedulers
void schedulers(int n, int *p) {
  // CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 2, i32 noundef 1)
#pragma heddle async scheduler(fifo)
  LOOP;
  // Another name of it.
  // CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 2, i32 noundef 1)
#pragma heddle async scheduler(static)
  LOOP;
  // CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 2, i32 noundef 2)
#pragma heddle async scheduler(lockstep)
  LOOP;
  // CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 2, i32 noundef 3)
#pragma heddle async scheduler(dynamic)
  LOOP;
}

// CHECK-LABEL: define {{.*}}variables
void variables(int n, int *p) {
  // CHECK: [[N:%.*]] = alloca i32
  // CHECK: [[P:%.*]] = alloca ptr
  // CHECK: [[A:%.*]] = alloca i32
  // CHECK: [[B:%.*]] = alloca [4 x i32]
  int a, b[4];
  // CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 5, ptr noundef [[A]], i32 noundef 5, ptr noundef [[B]], i32 noundef 6, ptr noundef [[N]], i32 noundef 7, ptr noundef @condition, i32 noundef 8, ptr noundef [[P]], i32 noundef 9, ptr noundef [[B]])
#pragma heddle async private(a, b) shared(n) sequential(condition) remote(p) near(b)
  LOOP;
}

// CHECK-LABEL: define {{.*}}conditions
void conditions(int n, int *p) {
  // CHECK: [[MORE:%.*]] = icmp sgt i32 {{.*}}, 3
  // CHECK: [[FLAG:%.*]] = select i1 [[MORE]], i32 1, i32 0
  // CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 4, i32 noundef [[FLAG]])
#pragma heddle async if (n > 3)
  LOOP;
  // A pointer is a condition, too.
  // CHECK: icmp ne ptr {{.*}}, null
  // CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 4, i32 noundef %{{.*}})
#pragma heddle async if (p)
  LOOP;
  // A constant condition arrives as a constant.
  // CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 4, i32 noundef 1)
#pragma heddle async if (sizeof(int) == 4)
  LOOP;
}

// CHECK-LABEL: define {{.*}}all
void all(int n, int *p) {
  // Commas may stand between clauses.
  // CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 3, i32 noundef 4, i32 noundef 1, i32 noundef 32, i32 noundef 2, i32 noundef 2, i32 noundef 6, ptr noundef %{{.*}}, i32 noundef 6, ptr noundef %{{.*}}, i32 noundef 4, i32 noundef 0)
#pragma heddle async coalesce(2 + 2), tasks(8 * 4), scheduler(lockstep) shared(n) shared(p), if (0)
  LOOP;
  // CHECK: @__heddle_mark(i32 noundef {{[0-9]+}})
#pragma heddle async
  LOOP;
}

// DECLARATION: declare void @__heddle_mark(i32 noundef, ...) [[NOUNWIND:#[0-9]+]]
// DECLARATION: attributes [[NOUNWIND]] = { nounwind
// CHECK: [[LOOP]] = distinct !{[[LOOP]], {{.*}}[[HINT:![0-9]+]]}
// CHECK: [[HINT]] = !{!"llvm.loop.pipeline.initiationinterval", i32 [[FIRST]]}
