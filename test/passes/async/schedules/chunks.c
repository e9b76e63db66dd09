// Schedules get chunk after chunk of a worksharing loop: a copy of the code
// between two chunks is in each of them. The thread leaves the loop over chunks
// when it has been told that there are no more, without asking again.
//
// RUN: %clang -O2 %fopenmp -fno-discard-value-names -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clang -O2 %fopenmp -fno-discard-value-names -S -emit-llvm -o - %s | FileCheck %s --check-prefix=NONE
// RUN: %clang -O2 %fopenmp -fno-discard-value-names -S -emit-llvm -o - %s | FileCheck %s --check-prefix=SERIAL

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

// The loop says that it gets chunks. What the tuner has decided is read once, in
// front of the first chunk. A chunk that is to run serially as a whole takes a
// plain copy of the loop, which costs a comparison and a count-down; only the
// rest is asked about. A thread's first iterations are asked about chunk by
// chunk otherwise: eight times as many as there is room for.
// SERIAL: @heddle.site{{.*}} i32 -2147483641, i32
// SERIAL-LABEL: define {{.*}}@withStride.omp_outlined
// SERIAL: load atomic i32, ptr {{.*}}@heddle.site{{.*}} monotonic
// SERIAL: [[UNASKED:%.*]] = select i1 {{.*}}, i64 0, i64 4096
// SERIAL: [[APART:%.*]] = select i1 {{.*}}, i64 1024, i64 0
// SERIAL: phi i64 [ [[APART]],
// SERIAL: [[LEFT:%heddle.iterations.*]] = phi i64 {{.*}}[[UNASKED]]
// SERIAL: [[WHOLE:%.*]] = icmp {{ugt|ule|ult}} i64 {{.*}}[[LEFT]]
// SERIAL-NEXT: br i1 [[WHOLE]], {{.*}}!prof
// SERIAL-DAG: sub {{.*}}i64 [[LEFT]],
// SERIAL-DAG: call i64 @llvm.usub.sat.i64(
// SERIAL-DAG: call void @heddle_site_begin(
// SERIAL-NOT: call void @heddle_site_begin(
// SERIAL: {{^}}}
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

// NONE-LABEL: define {{.*}}@monotonic.omp_outlined
// NONE-NOT: %chunk.end
long monotonic(Node **lists, long n) {
  long sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(monotonic : dynamic, 16)
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
