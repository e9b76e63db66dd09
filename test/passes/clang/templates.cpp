// Each instantiation has its own marks; a count that depends on template
// arguments is a constant in each.
//
// RUN: %clangxx -std=c++20 -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clangxx -std=c++20 -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - -fdelayed-template-parsing %s | FileCheck %s

template <class T, int N>
void gather(T *out, const T *in, const int *index, int n) {
#pragma heddle async tasks(N * 2) coalesce(sizeof(T)) remote(in) if (n > N)
  for (int i = 0; i < n; ++i)
    out[i] = in[index[i]];
}

// CHECK-LABEL: define {{.*}}gatherIfLi4EE
// CHECK: @__heddle_mark(i32 noundef [[NUMBER:[0-9]+]], i32 noundef 1, i32 noundef 8, i32 noundef 3, i32 noundef 4, i32 noundef 8, ptr noundef %{{.*}}, i32 noundef 4, i32 noundef %{{.*}})
// CHECK: !llvm.loop
template void gather<float, 4>(float *, const float *, const int *, int);
// CHECK-LABEL: define {{.*}}gatherIdLi16EE
// CHECK: @__heddle_mark(i32 noundef [[NUMBER]], i32 noundef 1, i32 noundef 32, i32 noundef 3, i32 noundef 8, i32 noundef 8, ptr noundef %{{.*}}, i32 noundef 4, i32 noundef %{{.*}})
// CHECK: !llvm.loop
template void gather<double, 16>(double *, const double *, const int *, int);

template <class T> constexpr int tasksFor(T) { return sizeof(T) * 3; }
template <class T, int N> struct Traits {
  static constexpr unsigned char tasks = N;
  static T counter;
};

// A function that computes the count is not called at run time, and the commas
// of template arguments separate nothing.
// CHECK-LABEL: define {{.*}}computed
// CHECK-NOT: call {{.*}}tasksFor
// CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 1, i32 noundef 12)
// CHECK-NOT: call {{.*}}tasksFor
// CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 1, i32 noundef 7, i32 noundef 5, ptr noundef @_ZN6TraitsIiLi7EE7counterE, i32 noundef 5, ptr noundef @_ZN6TraitsIlLi8EE7counterE)
// CHECK: ret void
template <class T> void computed(int n, int *p) {
#pragma heddle async tasks(tasksFor(T()))
  for (int i = 0; i < n; ++i)
    ++p[i];
#pragma heddle async tasks(Traits<T, 7>::tasks) private(Traits<T, 7>::counter, Traits<long, 8>::counter)
  for (int i = 0; i < n; ++i)
    ++p[i];
}
template void computed<int>(int, int *);

// CHECK-LABEL: define {{.*}}pack
// CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 1, i32 noundef 3)
template <class... Ts> void pack(int *p, Ts... values) {
#pragma heddle async tasks(sizeof...(values))
  for (int i = 0; i < (values + ...); ++i)
    ++p[i];
}
template void pack(int *, int, int, int);

// Members of a dependent base and of a dependent type.
struct Base {
  int *slots;
  int common;
};
template <class B> struct Derived : B {
  void run(B other, int n) {
#pragma heddle async remote(this->slots, other.slots) shared(B::common)
    for (int i = 0; i < n; ++i)
      ++this->slots[i];
  }
};
// CHECK-LABEL: define {{.*}}Derived
// CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 8, ptr noundef %{{.*}}, i32 noundef 8, ptr noundef %{{.*}}, i32 noundef 6, ptr noundef %{{.*}})
template struct Derived<Base>;

// References and arrays of a dependent type.
template <class T> void dependentPointers(T &&p, T q, int n) {
#pragma heddle async remote(p) near(q)
  for (int i = 0; i < n; ++i)
    ++p[i];
}
// CHECK-LABEL: define {{.*}}dependentPointersIRPi
// CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 8, ptr noundef %{{.*}}, i32 noundef 9, ptr noundef %{{.*}})
template void dependentPointers<int *&>(int *&, int *&, int);
// CHECK-LABEL: define {{.*}}dependentPointersIRA4_i
// CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 8, ptr noundef %{{.*}}, i32 noundef 9, ptr noundef %{{.*}})
template void dependentPointers<int (&)[4]>(int (&)[4], int (&)[4], int);

// A discarded loop leaves nothing.
// CHECK-LABEL: define {{.*}}discarded
// CHECK-NOT: __heddle_mark
// CHECK: ret void
template <bool Run> void discarded(int n, int *p) {
  if constexpr (Run) {
#pragma heddle async
    for (int i = 0; i < n; ++i)
      ++p[i];
  }
}
template void discarded<false>(int, int *);
