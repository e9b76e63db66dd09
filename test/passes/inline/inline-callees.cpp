// Callees that wait for memory are inlined into annotated loops although LLVM's
// threshold is too low for them; only there, only as far as the loop stays
// small, and not where something forbids it.
//
// RUN: %clangxx -O2 -Rpass=heddle -Rpass-missed=heddle -Wno-pass-failed -emit-llvm -S -o %t.ll %s 2>&1 | FileCheck %s
// RUN: FileCheck --check-prefix=CODE --input-file=%t.ll %s
// RUN: %clangxx -O2 -DLOOP -Rpass-missed=heddle -Wno-pass-failed -mllvm -heddle-inlined-instructions=0 -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: %clangxx -O1 -DLOOP -Rpass=heddle -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=ONE %s
// RUN: %clangxx -O2 -fno-inline -DLOOP -Rpass-missed=heddle -Wno-pass-failed -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: %clangxx -Os -DLOOP -Rpass-missed=heddle -Wno-pass-failed -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: loop not interleaved: what the call of 'search(
// NONE-NOT: remark
// ONE: interleaved the loop's iterations

#define TWICE(X) X X
#define MANY(X) TWICE(TWICE(TWICE(TWICE(X))))

struct Node {
  Node *left, *right;
  long key, value;
};

static long mix(long a, long b) {
  a ^= b * 0x9E3779B97F4A7C15;
  a ^= a >> 29;
  return a * 0xBF58476D1CE4E5B9;
}

static long search(const Node *at, long key, long salt) {
  while (at && at->key != key)
    at = key < at->key ? at->left : at->right;
  if (at) {
    MANY(salt = mix(salt, at->value);)
  }
  return salt;
}

// CODE-LABEL: define {{.*}}@_Z6searchPK4NodePKlPll(
// CODE-NOT: call {{.*}}6search
long search(const Node *root, const long *keys, long *out, long count) {
  long found = 0;
  // CHECK: :[[#@LINE+2]]:3: remark: interleaved the loop's iterations
#pragma heddle async
  for (long i = 0; i < count; ++i)
    found += search(root, keys[i], i);
  return found;
}

// Beside the loop, and in other functions, it stays a call.
// CODE-LABEL: define {{.*}}@_Z7outsidePK4Nodel(
// CODE: call {{.*}}6search
// CODE: call {{.*}}6search
long outside(const Node *root, long key) {
  return search(root, key, 1) + search(root, key, 2);
}

#ifndef LOOP

// CODE-LABEL: define {{.*}}@_Z6besidePK4NodePKll(
// CODE: call {{.*}}6search
// CODE-NOT: call {{.*}}6search
// CODE: ret
long beside(const Node *root, const long *keys, long count) {
  long found = search(root, count, 0);
  // CHECK: :[[#@LINE+2]]:3: remark: interleaved the loop's iterations
#pragma heddle async
  for (long i = 0; i < count; ++i)
    found += search(root, keys[i], i);
  return found;
}

// Through a function that waits in its callee only.
static long outer(const Node *root, const long *keys, long i) {
  long salt = i;
  MANY(salt = mix(salt, salt ^ i);)
  MANY(salt = mix(salt, salt + i);)
  return search(root, keys[i], salt);
}

// CODE-LABEL: define {{.*}}@_Z7throughPK4NodePKll(
long through(const Node *root, const long *keys, long count) {
  long found = 0;
  // CHECK: :[[#@LINE+2]]:3: remark: interleaved the loop's iterations
#pragma heddle async
  for (long i = 0; i < count; ++i)
    found += outer(root, keys, i);
  return found;
}

long throughOutside(const Node *root, const long *keys) {
  return outer(root, keys, 1) + outer(root, keys, 2);
}

__attribute__((noinline)) static long forbidden(const Node *at, long key) {
  while (at && at->key != key)
    at = key < at->key ? at->left : at->right;
  return at ? at->value : 0;
}

long isForbidden(const Node *root, const long *keys, long count) {
  long found = 0;
  // CHECK: :[[#@LINE+2]]:3: remark: loop not interleaved: what the call of 'forbidden(
#pragma heddle async
  for (long i = 0; i < count; ++i)
    found += forbidden(root, keys[i]);
  return found;
}

static long recursive(const Node *at, long key, long salt) {
  if (!at)
    return salt;
  MANY(salt = mix(salt, at->value);)
  return recursive(at->left, key, salt) + recursive(at->right, key, ~salt);
}

// One level of a tree is not worth its code. The whole is a nested coroutine.
long isRecursive(const Node *root, const long *keys, long count) {
  long found = 0;
  // CHECK: :[[#@LINE+2]]:3: remark: interleaved the loop's iterations
#pragma heddle async
  for (long i = 0; i < count; ++i)
    found += recursive(root, keys[i], i);
  return found;
}

// What does not wait is left to LLVM.
static long computes(long x) {
  MANY(x = mix(x, 3);)
  MANY(x = mix(x, 5);)
  MANY(x = mix(x, x);)
  return x;
}

// CODE-LABEL: define {{.*}}@_Z13isComputationPKlPll(
// CODE: call {{.*}}8computesl
long isComputation(const long *keys, long *out, long count) {
#pragma heddle async
  for (long i = 0; i < count; ++i)
    out[i] = computes(keys[keys[i]]);
  return 0;
}
long computesOutside(long x) { return computes(x) + computes(x + 1); }

// What would be an obstacle in the loop is left alone as well.
extern "C" void *memset(void *, int, unsigned long);
void use(char *);
static long scratch(const Node *at, long key, long salt) {
  char large[4096];
  memset(large, int(key), sizeof(large));
  use(large);
  while (at && at->key != key)
    at = key < at->key ? at->left : at->right;
  MANY(salt = mix(salt, large[salt & 4095]);)
  return at ? at->value : salt;
}

// CODE-LABEL: define {{.*}}@_Z9isScratchPK4NodePKll(
// CODE: call {{.*}}7scratch
long isScratch(const Node *root, const long *keys, long count) {
  long found = 0;
#pragma heddle async
  for (long i = 0; i < count; ++i)
    found += scratch(root, keys[i], i);
  return found;
}
long scratchOutside(const Node *root, long key) {
  return scratch(root, key, 1) + scratch(root, key, 2);
}

static long initialises(const Node *at, long key, long salt) {
  static const Node *const fallback = new Node();
  while (at && at->key != key)
    at = key < at->key ? at->left : at->right;
  MANY(salt = mix(salt, at ? at->value : fallback->value);)
  return salt;
}

long isInitialised(const Node *root, const long *keys, long count) {
  long found = 0;
  // CHECK: :[[#@LINE+2]]:3: remark: loop not interleaved: what the call of 'initialises(
#pragma heddle async
  for (long i = 0; i < count; ++i)
    found += initialises(root, keys[i], i);
  return found;
}
long initialisedOutside(const Node *root, long key) {
  return initialises(root, key, 1) + initialises(root, key, 2);
}

// The inner loop stays the one that is interleaved.
static long annotated(const Node *at, long key, long salt) {
#pragma heddle async
  for (long i = 0; i < key; ++i)
    salt += search(at, key ^ i, i);
  return salt;
}

// CODE-LABEL: define {{.*}}@_Z11isAnnotatedPK4NodePKll(
// CODE: call {{.*}}9annotated
long isAnnotated(const Node *root, const long *keys, long count) {
  long found = 0;
  // CHECK: :[[#@LINE+2]]:3: remark: loop not interleaved: what the call of 'annotated(
#pragma heddle async
  for (long i = 0; i < count; ++i)
    found += annotated(root, keys[i], i);
  return found;
}
long annotatedOutside(const Node *root, long key) {
  return annotated(root, key, 1) + annotated(root, key, 2);
}

#endif
