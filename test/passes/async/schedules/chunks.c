// Schedules get chunk after chunk of a worksharing loop: a copy of the code
// between two chunks is in each of them. The thread leaves the loop over chunks
// when it has been told that there are no more, without asking again.
//
// RUN: %clang -O2 %fopenmp -fno-discard-value-names -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clang -O2 %fopenmp -fno-discard-value-names -S -emit-llvm -o - %s | FileCheck %s --check-prefix=NONE

typedef struct Node {
  struct Node *next;
  long value;
} Node;

// One call in front of the loop, one behind the serial chunk, one in each
// schedule.
// CHECK-LABEL: define {{.*}}@dynamic.omp_outlined
// CHECK-COUNT-4: call i32 @__kmpc_dispatch_next_8(
// CHECK-NOT: __kmpc_dispatch_next
// CHECK: {{^}}}
long dynamic(Node **lists, long n) {
  long sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(dynamic, 16)
#pragma heddle async
  for (long i = 0; i < n; ++i)
    for (Node *node = lists[i]; node; node = node->next)
      sum += node->value;
  return sum;
}

// CHECK-LABEL: define {{.*}}@withStride.omp_outlined
// CHECK: %chunk.end
// CHECK: {{^}}}
long withStride(Node **lists, long n) {
  long sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(static, 16)
#pragma heddle async
  for (long i = 0; i < n; ++i)
    for (Node *node = lists[i]; node; node = node->next)
      sum += node->value;
  return sum;
}

// Not where there is one chunk, where iterations have an order, or where the
// last one is special.
// NONE-LABEL: define {{.*}}@whole.omp_outlined
// NONE-NOT: %chunk.end
long whole(Node **lists, long n) {
  long sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(static)
#pragma heddle async
  for (long i = 0; i < n; ++i)
    for (Node *node = lists[i]; node; node = node->next)
      sum += node->value;
  return sum;
}

void use(long);
void ordered(Node **lists, long n) {
#pragma omp parallel for ordered schedule(dynamic, 16)
#pragma heddle async
  for (long i = 0; i < n; ++i) {
    long sum = 0;
    for (Node *node = lists[i]; node; node = node->next)
      sum += node->value;
#pragma omp ordered
    use(sum);
  }
}

long last(Node **lists, long n) {
  long sum = 0;
#pragma omp parallel for lastprivate(sum) schedule(dynamic, 16)
#pragma heddle async
  for (long i = 0; i < n; ++i) {
    sum = 0;
    for (Node *node = lists[i]; node; node = node->next)
      sum += node->value;
  }
  return sum;
}
