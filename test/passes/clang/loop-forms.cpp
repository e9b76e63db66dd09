// Every kind of loop is marked: its metadata and a call in its body.
//
// RUN: %clangxx -std=c++20 -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s

struct Node {
  Node *next;
  int value;
};
Node *take();

struct Range {
  int *begin() const;
  int *end() const;
};

// CHECK-LABEL: define {{.*}}forLoop
// CHECK: call {{.*}}@__heddle_mark(i32 noundef [[FOR:[0-9]+]])
// CHECK: !llvm.loop [[FORLOOP:![0-9]+]]
void forLoop(int n, int *p) {
#pragma heddle async
  for (int i = 0; i < n; ++i) {
    ++p[i];
  }
}

// CHECK-LABEL: define {{.*}}rangeForLoop
// CHECK: call {{.*}}@__heddle_mark(i32 noundef [[RANGE:[0-9]+]])
// CHECK: !llvm.loop [[RANGELOOP:![0-9]+]]
void rangeForLoop(Range range) {
#pragma heddle async
  for (int &x : range)
    ++x;
}

// CHECK-LABEL: define {{.*}}initializedRangeForLoop
// CHECK: call {{.*}}@__heddle_mark(
void initializedRangeForLoop(Range range) {
#pragma heddle async
  for (int k = 3; int &x : range)
    x += k;
}

// CHECK-LABEL: define {{.*}}whileLoop
// CHECK: call {{.*}}@__heddle_mark(i32 noundef [[WHILE:[0-9]+]])
// CHECK: !llvm.loop [[WHILELOOP:![0-9]+]]
void whileLoop(Node *node) {
#pragma heddle async
  while (node)
    node = node->next;
}

// CHECK-LABEL: define {{.*}}declaringWhileLoop
// CHECK: call {{.*}}@__heddle_mark(
void declaringWhileLoop() {
#pragma heddle async
  while (Node *node = take())
    ++node->value;
}

// CHECK-LABEL: define {{.*}}doLoop
// CHECK: call {{.*}}@__heddle_mark(i32 noundef [[DO:[0-9]+]])
// CHECK: !llvm.loop [[DOLOOP:![0-9]+]]
void doLoop(Node *node) {
#pragma heddle async
  do
    node = node->next;
  while (node);
}

// CHECK-LABEL: define {{.*}}emptyBody
// CHECK: call {{.*}}@__heddle_mark(
// CHECK: call {{.*}}@__heddle_mark(
void emptyBody(int n, Node *node) {
#pragma heddle async
  for (; node; node = node->next)
    ;
#pragma heddle async
  for (int i = 0; i < n; ++i) {
  }
}

// The marks of a nest stand in the innermost loop; every loop has its own
// metadata.
// CHECK-LABEL: define {{.*}}nest
// CHECK-NOT: ret void
// CHECK: call {{.*}}@__heddle_mark(i32 noundef [[OUTER:[0-9]+]], i32 noundef 1, i32 noundef 2)
// CHECK: call {{.*}}@__heddle_mark(i32 noundef [[INNER:[0-9]+]], i32 noundef 1, i32 noundef 3)
// CHECK: !llvm.loop [[INNERLOOP:![0-9]+]]
// CHECK: !llvm.loop [[OUTERLOOP:![0-9]+]]
void nest(int n, int *p) {
#pragma heddle async tasks(2)
  for (int i = 0; i < n; ++i)
#pragma heddle async tasks(3)
    for (int j = 0; j < n; ++j)
      p[i] += j;
}

// CHECK-LABEL: define {{.*}}imperfectNest
// CHECK: call {{.*}}@__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 1, i32 noundef 2)
// CHECK: call {{.*}}@__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 1, i32 noundef 3)
void imperfectNest(int n, int *p) {
#pragma heddle async tasks(2)
  for (int i = 0; i < n; ++i) {
    ++p[i];
#pragma heddle async tasks(3)
    while (p[i] < 3)
      ++p[i];
  }
}

// CHECK-LABEL: define {{.*}}placesForStatements
// CHECK-COUNT-5: call {{.*}}@__heddle_mark(
// CHECK: ret void
void placesForStatements(int n, int *p) {
  if (n)
#pragma heddle async
    for (int i = 0; i < n; ++i)
      ++p[i];
  else
#pragma heddle async
    while (p[n])
      ++n;
  switch (n) {
  case 1:
#pragma heddle async
    for (int i = 0; i < n; ++i)
      if (++p[i])
        break;
  default:
#pragma heddle async
    for (int i = 0; i < n; ++i)
      if (++p[i])
        continue;
  }
label:
#pragma heddle async
  for (int i = 0; i < n; ++i)
    ++p[i];
  if (p[0])
    goto label;
}

// CHECK-DAG: [[FORLOOP]] = distinct !{[[FORLOOP]], {{.*}}[[FORHINT:![0-9]+]]}
// CHECK-DAG: [[FORHINT]] = !{!"llvm.loop.pipeline.initiationinterval", i32 [[FOR]]}
// CHECK-DAG: [[RANGELOOP]] = distinct !{[[RANGELOOP]], {{.*}}[[RANGEHINT:![0-9]+]]}
// CHECK-DAG: [[RANGEHINT]] = !{!"llvm.loop.pipeline.initiationinterval", i32 [[RANGE]]}
// CHECK-DAG: [[WHILELOOP]] = distinct !{[[WHILELOOP]], {{.*}}[[WHILEHINT:![0-9]+]]}
// CHECK-DAG: [[WHILEHINT]] = !{!"llvm.loop.pipeline.initiationinterval", i32 [[WHILE]]}
// CHECK-DAG: [[DOLOOP]] = distinct !{[[DOLOOP]], {{.*}}[[DOHINT:![0-9]+]]}
// CHECK-DAG: [[DOHINT]] = !{!"llvm.loop.pipeline.initiationinterval", i32 [[DO]]}
// CHECK-DAG: [[INNERLOOP]] = distinct !{[[INNERLOOP]], {{.*}}[[INNERHINT:![0-9]+]]}
// CHECK-DAG: [[INNERHINT]] = !{!"llvm.loop.pipeline.initiationinterval", i32 [[INNER]]}
// CHECK-DAG: [[OUTERLOOP]] = distinct !{[[OUTERLOOP]], {{.*}}[[OUTERHINT:![0-9]+]]}
// CHECK-DAG: [[OUTERHINT]] = !{!"llvm.loop.pipeline.initiationinterval", i32 [[OUTER]]}
