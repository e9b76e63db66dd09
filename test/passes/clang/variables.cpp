// A clause can name any variable that the loop could use, from wherever the
// loop can use it.
//
// RUN: %clangxx -std=c++23 -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s

using size = decltype(sizeof 0);

struct Deceptive {
  int value;
  void *operator&() const { return nullptr; }
};

namespace space {
int inNamespace;
}
int global;
thread_local int threadLocal;
extern int externalArray[];
template <class T> struct Static {
  static T member;
};
extern template struct Static<int>;

// CHECK-LABEL: define {{.*}}outside
// CHECK: [[THREADLOCAL:%.*]] = call {{.*}}ptr @llvm.threadlocal.address.p0(ptr {{.*}}@threadLocal)
// CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 5, ptr noundef @global, i32 noundef 5, ptr noundef @_ZN5space11inNamespaceE, i32 noundef 5, ptr noundef [[THREADLOCAL]], i32 noundef 5, ptr noundef @_ZN6StaticIiE6memberE, i32 noundef 5, ptr noundef @_ZZ7outsideiE5local, i32 noundef 8, ptr noundef @externalArray)
void outside(int n) {
  static int local;
#pragma heddle async private(::global, space::inNamespace, threadLocal, Static<int>::member, local) remote(externalArray)
  for (int i = 0; i < n; ++i)
    ++externalArray[i];
}

// A class's own operator& is not asked.
// CHECK-LABEL: define {{.*}}parameters
// CHECK: [[DECEPTIVE:%.*]] = alloca %struct.Deceptive
// CHECK: [[REFERENCE:%.*]] = alloca ptr
// CHECK: [[ARRAYREFERENCE:%.*]] = alloca ptr
// CHECK: [[DECAYED:%.*]] = alloca ptr
// CHECK: [[REFERENT:%.*]] = load ptr, ptr [[REFERENCE]]
// CHECK: [[ARRAY:%.*]] = load ptr, ptr [[ARRAYREFERENCE]]
// CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 5, ptr noundef [[DECEPTIVE]], i32 noundef 6, ptr noundef [[REFERENT]], i32 noundef 8, ptr noundef [[ARRAY]], i32 noundef 9, ptr noundef [[DECAYED]])
void parameters(Deceptive deceptive, int &reference, int (&array)[4],
                int decayed[]) {
#pragma heddle async private(deceptive) shared(reference) remote(array) near(decayed)
  for (int i = 0; i < 4; ++i)
    reference += array[i] + decayed[i];
}

// CHECK-LABEL: define {{.*}}bindings
// CHECK: @__heddle_mark(i32 noundef {{[0-9]+}}, i32 noundef 5, ptr noundef {{%.*}}, i32 noundef 6, ptr noundef {{%.*}})
void bindings(int n) {
  int pair[2] = {1, 2};
  auto &[first, second] = pair;
#pragma heddle async private(first) shared(second)
  for (int i = 0; i < n; ++i)
    second += i;
}
