// RUN: %clang -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s

struct graph {
  long *offsets;
  long inlined[4];
};

// CHECK-LABEL: define {{.*}}@sum(
// CHECK: [[INDICES:%.*]] = alloca ptr
// CHECK: [[SUM:%.*]] = alloca i64
// CHECK: [[OFFSETS:%.*]] = getelementptr inbounds nuw %struct.graph, ptr %{{.*}}, i32 0, i32 0
// CHECK: [[INLINED:%.*]] = getelementptr inbounds nuw %struct.graph, ptr %{{.*}}, i32 0, i32 1
// CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 8, ptr noundef [[INDICES]], i32 noundef 8, ptr noundef [[OFFSETS]], i32 noundef 9, ptr noundef [[INLINED]], i32 noundef 6, ptr noundef [[SUM]], i32 noundef 4, i32 noundef %{{.*}})
long sum(const int *indices, struct graph *graph, int n) {
  long sum = 0;
#pragma heddle async remote(indices, graph->offsets) near(graph->inlined) shared(sum) if (n > 8 && graph)
  for (int i = 0; i < n; ++i)
    sum += graph->offsets[indices[i]];
  return sum;
}

// CHECK-LABEL: define {{.*}}@variableLength(
// CHECK: [[ROW:%.*]] = alloca i32, i64
// CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 5, ptr noundef [[ROW]], i32 noundef 9, ptr noundef [[ROW]])
void variableLength(int n) {
  int row[n];
#pragma heddle async private(row) near(row)
  for (int i = 0; i < n; ++i)
    row[i] = i;
}
