// Loops that no kernel can be made of, and why.
//
// RUN: %plain_clang --target=x86_64-linux-gnu -O1 -fno-math-errno -S \
// RUN:   -emit-llvm %s -o - \
// RUN:   | sed 's/!"llvm.loop.unroll.disable"/!"heddle.vectorsparse", i32 32, i32 16/' \
// RUN:   | %pull_opt -passes=heddle-pull-kernel -pass-remarks-missed=heddle -S \
// RUN:   -o %t.ll 2>&1 | FileCheck %s
// RUN: not grep heddle.pull %t.ll

typedef unsigned u32;
struct node {
  struct node *next;
  float value;
};

#define LOOP _Pragma("clang loop unroll(disable)") for (long i = 0; i < n; ++i)
#define NEIGHBOUR (edges[i] & 0x1fffffff)

float g(float);

// CHECK: loop in called calls g()
float called(const u32 *edges, long n, const float *x, float s) {
  LOOP s += g(x[NEIGHBOUR]);
  return s;
}

// CHECK: loop in calledThrough calls a function through a pointer
float calledThrough(const u32 *edges, long n, float (*f)(u32), float s) {
  LOOP s += f(NEIGHBOUR);
  return s;
}

// CHECK: loop in stored stores to memory
float stored(const u32 *edges, long n, const float *x, float *y, float s) {
  LOOP {
    s += x[NEIGHBOUR];
    y[NEIGHBOUR] = 1;
  }
  return s;
}

// CHECK: loop in volatileLoad has a volatile or atomic load
float volatileLoad(const u32 *edges, long n, const volatile float *x, float s) {
  LOOP s += x[NEIGHBOUR];
  return s;
}

// CHECK: loop in atomic has an atomic operation
int atomic(const u32 *edges, long n, int *x, int s) {
  LOOP s += __atomic_fetch_add(&x[NEIGHBOUR], 1, __ATOMIC_RELAXED);
  return s;
}

// CHECK: loop in early can end before it has visited all edges
int early(const u32 *edges, long n, const int *x, int s) {
  LOOP {
    if (x[NEIGHBOUR] == 3)
      break;
    s += x[NEIGHBOUR];
  }
  return s;
}

// CHECK: loop in validBit uses more of a lane than the neighbour
int validBit(const u32 *edges, long n, const int *x, int s) {
  LOOP s += x[edges[i] & 0x3fffffff];
  return s;
}

// CHECK: loop in position has messages that depend on other edges or on the position of the edge
long position(const u32 *edges, long n, const long *x, long s) {
  LOOP s += x[NEIGHBOUR] ^ i;
  return s;
}

// CHECK: loop in history uses the value combined so far (add)
int history(const u32 *edges, long n, const int *x, int s) {
  LOOP s += x[NEIGHBOUR] ^ s;
  return s;
}

// CHECK: loop in ordered uses the value combined so far (mul)
int ordered(const u32 *edges, long n, const int *x, int s) {
  LOOP s = (s + x[NEIGHBOUR]) * 3;
  return s;
}

// CHECK: loop in chased follows pointers from memory
float chased(const u32 *edges, long n, const struct node *x, float s) {
  LOOP s += x[NEIGHBOUR].next->value;
  return s;
}

// CHECK: loop in chosen loads from more than one array by one load
float chosen(const u32 *edges, long n, const float *x, const float *y,
             float s) {
  LOOP s += *(NEIGHBOUR > 500 ? &x[NEIGHBOUR] : &y[NEIGHBOUR]);
  return s;
}

// CHECK: loop in unaligned loads values that are not aligned
float unaligned(const u32 *edges, long n, const char *x, float s) {
  LOOP {
    float value;
    __builtin_memcpy(&value, x + 4 * (long)NEIGHBOUR, sizeof value);
    s += value;
  }
  return s;
}

// CHECK: loop in exponential has an operation without vectors (llvm.exp)
float exponential(const u32 *edges, long n, const float *x, float s) {
  LOOP s += __builtin_expf(x[NEIGHBOUR]);
  return s;
}

// CHECK: loop in halves loads values of a type that has no vectors
_Float16 halves(const u32 *edges, long n, const _Float16 *x, float s) {
  LOOP s += x[NEIGHBOUR];
  return s;
}
