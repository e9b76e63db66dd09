// Functions that other files may call, wait for memory and only read get a
// nested form: a description, and the steps. Others do not.
//
// RUN: %clang -O2 -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clang -O2 -S -emit-llvm -o - %s | FileCheck --check-prefix=NONE %s
// RUN: %clang -O1 -fPIC -fvisibility=hidden -S -emit-llvm -o - %s | FileCheck --check-prefix=HIDDEN %s
// RUN: %clang -O2 -flto -S -emit-llvm -o - %s | FileCheck --check-prefix=OFF %s
// RUN: %clang -Os -S -emit-llvm -o - %s | FileCheck --check-prefix=OFF %s
// RUN: %clang -O0 -S -emit-llvm -o - %s | FileCheck --check-prefix=OFF %s
// RUN: %clang -O2 -fsanitize=address -S -emit-llvm -o - %s | FileCheck --check-prefix=OFF %s
// RUN: %clang -O2 -m32 -S -emit-llvm -o - %s | FileCheck --check-prefix=OFF %s
// RUN: %clang -O2 --target=x86_64-w64-mingw32 -S -emit-llvm -o - %s | FileCheck --check-prefix=OFF %s
// RUN: %clang -O2 --target=aarch64-linux-gnu -S -emit-llvm -o - %s | FileCheck %s
//
// CHECK-DAG: @__heddle_nested_3_[[HASH:[0-9a-f]+]]_walk = weak{{.*}} constant { ptr, ptr } { ptr @walk.plain, ptr @walk.start }, section ".data.rel.ro.heddle.walk"
// CHECK-DAG: @walk.plain = internal alias i64 (ptr, i64), ptr @walk
// The type is a part of the name.
// CHECK-DAG: @__heddle_nested_3_[[HASH]]_walkAgain =
// CHECK-DAG: @__heddle_nested_3_{{[0-9a-f]+}}_narrow =
//
// CHECK-LABEL: define internal ptr @walk.resume(ptr noalias %0, i8 %1)
// CHECK-SAME: section ".text.heddle.walk"
// CHECK: define internal ptr @walk.start(ptr noalias %0, i64 %1, ptr %2, i64 %3)
// CHECK-SAME: section ".text.heddle.walk"
//
// HIDDEN: @__heddle_nested_3_{{[0-9a-f]+}}_walk = weak hidden constant
// OFF-NOT: __heddle_nested
//
// NONE-NOT: @__heddle_nested_3_{{[0-9a-f]+}}_{{(depth|own|writes|prints|foreseen|nothing|listed|locked|kept|mayBeReplaced|computes|mayNeverEnd)}} =

#include <stdarg.h>

struct Node {
  long key;
  struct Node *next;
};

long walk(const struct Node *node, long most) {
  long sum = 0;
  while (node && sum < most) {
    sum += node->key;
    node = node->next;
  }
  return sum;
}
long walkAgain(const struct Node *node, long most) {
  return walk(node->next, most) * 3;
}
int narrow(const struct Node *node, signed char most) {
  return walk(node, most);
}
long depth(const struct Node *node) {
  if (!node)
    return 0;
  long below = depth((const struct Node *)node->key);
  long beside = depth(node->next);
  return 1 + (below > beside ? below : beside);
}

__attribute__((noinline)) static long own(const struct Node *node) {
  return walk(node, 5);
}
long callsOwn(const struct Node *node) { return own(node); }
long writes(struct Node *node) {
  while (node->next)
    node = node->next;
  return node->key++;
}
void prints(const struct Node *);
long printsFirst(const struct Node *node) {
  prints(node);
  return walk(node, 5);
}
long foreseen(const long *numbers, long count) {
  long sum = 0;
  for (long i = 0; i < count; ++i)
    sum += numbers[i];
  return sum;
}
void nothing(const struct Node *node) {
  while (node)
    node = node->next;
}
long listed(const struct Node *node, ...) { return walk(node, 5); }
long locked(const struct Node *node, int *lock) {
  while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE))
    ;
  const long sum = walk(node, 5);
  __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
  return sum;
}
__attribute__((noinline)) long kept(const struct Node *node) {
  return walk(node, 5);
}
__attribute__((weak)) long mayBeReplaced(const struct Node *node) {
  return walk(node, 5);
}
long computes(long number) { return number * number + 1; }
// In C, this loop may go on for ever.
long mayNeverEnd(const struct Node *node) {
  while (1) {
    if (node->key < 0)
      return node->key;
    node = node->next;
  }
}
