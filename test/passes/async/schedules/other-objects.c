// Objects that have no COMDAT hold what all modules share, too.

// RUN: for target in x86_64-apple-macosx arm64-apple-macosx powerpc64-ibm-aix; do \
// RUN:   %clang -O2 -ffreestanding --target=$target -S -emit-llvm %s -o - | FileCheck %s || exit 1; \
// RUN: done
// RUN: %clang -O2 -ffreestanding --target=x86_64-apple-macosx -c %s -o /dev/null
// RUN: %clang -O2 -ffreestanding --target=x86_64-linux-gnu -S -emit-llvm %s -o - | FileCheck %s --check-prefix=ELF

// CHECK-NOT: comdat
// CHECK: define linkonce_odr hidden {{.*}}@heddle.contexts.begin
// CHECK-NOT: comdat
// ELF: define linkonce_odr hidden {{.*}}@heddle.contexts.begin{{.*}} comdat

struct Node {
  struct Node *next;
  long value;
};

long sums(struct Node **heads, const int *order, int n) {
  long sum = 0;
#pragma heddle async
  for (int i = 0; i < n; ++i)
    for (struct Node *node = heads[order[i]]; node; node = node->next)
      sum += node->value;
  return sum;
}
