// Members of `this` and of other objects.
//
// RUN: %clangxx -std=c++23 -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s

struct Table {
  int *slots;
  int inlined[8];
  struct {
    int *deep;
  } inner;
  static int common;

  void members(int n);
  void explicitObject(this Table &self, int n);
  void capturedObject(int n);
};

// CHECK-LABEL: define {{.*}}members
// CHECK: [[THIS:%.*]] = load ptr, ptr
// CHECK: [[SLOTS:%.*]] = getelementptr inbounds nuw %struct.Table, ptr [[THIS]], i32 0, i32 0
// CHECK: [[INLINED:%.*]] = getelementptr inbounds nuw %struct.Table, ptr [[THIS]], i32 0, i32 1
// CHECK: [[INNER:%.*]] = getelementptr inbounds nuw %struct.Table, ptr [[THIS]], i32 0, i32 2
// CHECK: [[DEEP:%.*]] = getelementptr inbounds nuw %struct.{{.*}}, ptr [[INNER]], i32 0, i32 0
// CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 8, ptr noundef [[SLOTS]], i32 noundef 9, ptr noundef [[INLINED]], i32 noundef 8, ptr noundef [[DEEP]], i32 noundef 6, ptr noundef @_ZN5Table6commonE)
void Table::members(int n) {
#pragma heddle async remote(slots) near(this->inlined) remote(inner.deep) shared(common)
  for (int i = 0; i < n; ++i)
    ++slots[i];
}

// CHECK-LABEL: define {{.*}}explicitObject
// CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 8, ptr noundef %{{.*}})
void Table::explicitObject(this Table &self, int n) {
#pragma heddle async remote(self.slots)
  for (int i = 0; i < n; ++i)
    ++self.slots[i];
}

// CHECK-LABEL: define {{.*}}otherObjects
// CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 8, ptr noundef %{{.*}}, i32 noundef 9, ptr noundef %{{.*}})
void otherObjects(Table table, Table *pointer, int n) {
#pragma heddle async remote(table.slots) near(pointer->slots)
  for (int i = 0; i < n; ++i)
    ++table.slots[i];
}

// CHECK-LABEL: define {{.*}}capturedObject
// CHECK: define {{.*}}capturedObject{{.*}}clEv
// CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 8, ptr noundef %{{.*}}, i32 noundef 4, i32 noundef %{{.*}})
void Table::capturedObject(int n) {
  auto body = [*this, n] {
#pragma heddle async remote(slots) if (n > *slots)
    for (int i = 0; i < n; ++i)
      ++slots[i];
  };
  body();
}
