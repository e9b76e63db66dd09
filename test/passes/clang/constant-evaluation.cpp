// A marked loop can be evaluated at compile time, and is marked at run time.
//
// RUN: %clangxx -std=c++14 -Werror -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clangxx -std=c++23 -Werror -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s

constexpr int sum(int n) {
  int sum = 0;
#pragma heddle async shared(sum) if (n > 3)
  for (int i = 0; i < n; ++i)
    sum += i;
  return sum;
}
static_assert(sum(5) == 10, "");

#if __cplusplus >= 202002L
consteval int atCompileTime(int n) {
  int sum = 0;
#pragma heddle async shared(sum)
  for (int i = 0; i < n; ++i)
    sum += i;
  return sum;
}
static_assert(atCompileTime(5) == 10);

template <class T> constexpr T generic(T n) {
  T sum = 0;
#pragma heddle async shared(sum) tasks(sizeof(T))
  for (T i = 0; i < n; ++i)
    sum += i;
  return sum;
}
static_assert(generic(5L) == 10);

// Lambdas are constexpr without saying so.
constexpr auto lambda = [](int n) {
  int sum = 0;
#pragma heddle async shared(sum)
  for (int i = 0; i < n; ++i)
    sum += i;
  return sum;
};
static_assert(lambda(5) == 10);

using Unevaluated = decltype([](int n) {
#pragma heddle async private(n)
  while (--n)
    ;
});
#endif

// CHECK: define {{.*}}atRunTime
int atRunTime(int n) { return sum(n); }
// CHECK: define {{.*}}sum
// CHECK: call {{.*}}@__heddle_mark(i32 noundef 1212498944, i32 noundef 6, ptr noundef %{{.*}}, i32 noundef 4, i32 noundef %{{.*}})
