// An interleaved loop with calls whose callees may wait says that what they
// wait for is not hidden.
//
// RUN: %clang -O2 -Rpass=heddle -Rpass-missed=heddle -Rpass-analysis=heddle -Wno-pass-failed -S -o /dev/null %s 2>&1 | FileCheck %s

struct Node {
  struct Node *next;
  long key;
};
long declared(long, ...);

#define FOR _Pragma("heddle async") for (long i = 0; i < count; ++i)

__attribute__((noinline)) static long find(const struct Node *p, long key) {
  while (p && p->key != key)
    p = p->next;
  return p != 0;
}

__attribute__((noinline)) static long computes(long x) {
  for (long i = 0; i < x; ++i)
    x ^= x * i;
  return x;
}

// CHECK: :[[#@LINE+5]]:{{[0-9]+}}: remark: what the call of 'find' waits for is not hidden: it stays a call; let the function be inlined
// CHECK: remark: interleaved
long defined(struct Node *const *buckets, const long *keys, const int *order,
             long count) {
  long hits = 0;
  FOR hits += find(buckets[keys[order[i]]], keys[order[i]]);
  return hits;
}

// CHECK-NOT: waits for
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: remark: what the call of 'declared' waits for is not hidden
// CHECK: remark: interleaved
void isDeclared(long *out, const long *keys, const long *table, long count) {
  FOR out[i] = declared(table[table[keys[i]]]);
}

// CHECK-NOT: waits for
// CHECK: :[[#@LINE+4]]:{{[0-9]+}}: remark: what the call of a function pointer waits for is not hidden
// CHECK: remark: interleaved
void isPointer(long *out, const long *keys, const long *table,
               long (*callee)(long), long count) {
  FOR out[i] = callee(table[table[keys[i]]]);
}

// CHECK-NOT: waits for
// CHECK: remark: interleaved
void doesNotWait(long *out, const long *keys, const long *table, long count) {
  FOR out[i] = computes(table[table[keys[i]]]);
}

// Nothing says that the accesses of the callee are regular, too.
// CHECK: remark: loop not interleaved: what the call of 'declared' accesses is not seen, and the other long-latency accesses do not depend on each other
void isOverlapped(long *out, const long *keys, const long *table, long count) {
  FOR out[i] = declared(i) + table[keys[i]];
}
