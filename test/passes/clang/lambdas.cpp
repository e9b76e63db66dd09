// A variable that only the directive names is captured nevertheless.
//
// RUN: %clangxx -std=c++20 -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s

// CHECK-LABEL: define {{.*}}captures
void captures(int n, int *p) {
  int x = 0;
  const int constant = 3;
  // CHECK: define {{.*}}captures{{.*}}clEv"
  // CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 7, ptr noundef %{{.*}}, i32 noundef 8, ptr noundef %{{.*}}, i32 noundef 5, ptr noundef %{{.*}})
  auto byValue = [=] {
#pragma heddle async sequential(x) remote(p) private(constant)
    for (int i = 0; i < 3; ++i)
      ;
  };
  // CHECK: define {{.*}}captures{{.*}}clEv"
  // CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 7, ptr noundef %{{.*}}, i32 noundef 8, ptr noundef %{{.*}}, i32 noundef 5, ptr noundef %{{.*}})
  auto byReference = [&] {
#pragma heddle async sequential(x) remote(p) private(constant)
    for (int i = 0; i < n; ++i)
      ;
  };
  // CHECK: define {{.*}}captures{{.*}}clIiEE
  // CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 7, ptr noundef %{{.*}}, i32 noundef 8, ptr noundef %{{.*}}, i32 noundef 5, ptr noundef %{{.*}}, i32 noundef 4, i32 noundef %{{.*}})
  // CHECK: define {{.*}}captures{{.*}}clIlEE
  // CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 7, ptr noundef %{{.*}}, i32 noundef 8, ptr noundef %{{.*}}, i32 noundef 5, ptr noundef %{{.*}}, i32 noundef 4, i32 noundef %{{.*}})
  auto generic = [&](auto k) {
#pragma heddle async sequential(x) remote(p) private(constant) if (k > x)
    for (int i = 0; i < k; ++i)
      ;
  };
  byValue();
  byReference();
  generic(3);
  generic(4L);
}
