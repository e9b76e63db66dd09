// Calls of virtual functions and through pointers are compared with functions
// of the file, in annotated loops and in what these call; all other code stays.
//
// RUN: %clangxx -O2 -Rpass=heddle -Rpass-missed=heddle -Rpass-analysis=heddle -Wno-pass-failed -emit-llvm -S -o %t.ll %s 2>&1 | FileCheck %s
// RUN: FileCheck --check-prefix=CODE --input-file=%t.ll %s
// RUN: FileCheck --check-prefix=NONE --input-file=%t.ll %s
// RUN: %clangxx -Os -Rpass=heddle -Wno-pass-failed -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=SMALL --allow-empty %s
// NONE-NOT: .task
// NONE-NOT: .targets
// NONE-NOT: llvm.compiler.used
// SMALL-NOT: compared

#define FOR _Pragma("heddle async") for (long i = 0; i < count; ++i)

struct Node {
  long value = 0;
  virtual ~Node() {}
  virtual const Node *next(long key) const = 0;
  virtual long sum(long depth) const = 0;
};
struct Pair final : Node {
  const Node *left, *right;
  const Node *next(long key) const override { return key & 1 ? left : right; }
  long sum(long depth) const override {
    return left->sum(depth + 1) * 3 + right->sum(depth + 1);
  }
};
struct End final : Node {
  const Node *next(long) const override { return nullptr; }
  long sum(long depth) const override { return depth ^ value; }
};
Node *makePair() { return new Pair; }
Node *makeEnd() { return new End; }

// CODE-LABEL: define {{.*}}@_Z5walksPK4NodePKlPll(
// CODE: icmp {{eq|ne}} ptr {{.*}}, @_ZNK4Pair4nextEl
// CODE: icmp {{eq|ne}} ptr {{.*}}, @_ZNK3End4nextEl
// CHECK-DAG: :[[#@LINE+7]]:{{[0-9]+}}: remark: this call is compared with its likely targets: 'Pair::next(long) const', 'End::next(long) const'
// CHECK-DAG: :[[#@LINE+3]]:3: remark: interleaved the loop's iterations
void walks(const Node *root, const long *keys, long *out, long count) {
  // The loop.
  FOR {
    const Node *at = root;
    for (long key = keys[i]; at->value < key; key >>= 1)
      at = at->next(key);
    out[i] = at->value;
  }
}

// One suspension for a node, wherever its parent visits it from.
// CHECK-DAG: :[[#@LINE+4]]:3: remark: interleaved the loop's iterations {{.*}}: 1 suspension point, 1 request,
// CHECK-DAG: remark: '{{Pair|End}}::sum(long) const and others' became a nested coroutine
void sums(const Node *const *roots, long *out, long count) {
  // The loop.
  FOR out[i] = roots[i]->sum(i);
}

// Other loops and functions are as before.
// CODE-LABEL: define {{.*}}@_Z6besidePK4Nodel(
// CODE-NOT: icmp {{.*}}@_ZNK
// CODE: ret i64
long beside(const Node *root, long count) {
  for (long i = 0; i < count; ++i)
    root = root->next(i);
  return root->value;
}
// CODE-LABEL: define {{.*}}@_ZNK4Pair3sumEl(
// CODE-NOT: icmp
// CODE: call {{.*}} i64 %
// CODE-NOT: icmp
// CODE: ret i64

// What a call may go to is found by its type.
static long one(const long *at) { return at[*at]; }
static long two(const long *at) { return at[at[1]]; }
long (*chosen)(const long *) = one;
void choose(bool which) { chosen = which ? one : two; }

// CHECK-DAG: :[[#@LINE+2]]:{{[0-9]+}}: remark: this call is compared with its likely targets: 'one(long const*)', 'two(long const*)'
void chosenOnes(long *const *at, long *out, long count) {
  FOR out[i] = chosen(at[at[i][0]]);
}

// A volatile pointer may have come from anywhere.
static long (*volatile hidden)(const long *) = one;

void hiddenOnes(long *const *at, long *out, long count) {
  auto *call = hidden;
  FOR out[i] = call(at[at[i][0]]) + hidden(at[0]);
}

static int f1(int x) { return x + 1; }
static int f2(int x) { return x + 2; }
static int f3(int x) { return x + 3; }
static int f4(int x) { return x + 4; }
static int f5(int x) { return x + 5; }
static int f6(int x) { return x + 6; }
static int f7(int x) { return x + 7; }
int (*table[])(int) = {f1, f2, f3, f4, f5, f6, f7};

// CHECK-DAG: :[[#@LINE+2]]:{{[0-9]+}}: remark: this call may go to 7 functions, too many to compare it with: it stays a call
void many(const int *at, int *out, long count) {
  FOR out[i] = table[at[i]](at[at[i]]);
}

// Structures of functions, as in C: by the place in the structure.
struct Operations {
  long (*get)(const void *, long);
  long (*set)(const void *, long);
};
static long getA(const void *, long x) { return x; }
static long setA(const void *, long x) { return -x; }
static long getB(const void *p, long x) {
  return static_cast<const long *>(p)[x];
}
static long setB(const void *, long x) { return ~x; }
extern const Operations a = {getA, setA}, b = {getB, setB};
struct Object {
  const Operations *operations;
};

// CHECK-DAG: :[[#@LINE+2]]:{{[0-9]+}}: remark: this call is compared with its likely targets: 'setA(void const*, long)', 'setB(void const*, long)'
void operate(Object *const *objects, long *out, long count) {
  FOR out[i] = objects[i]->operations->set(objects[i], i);
}
