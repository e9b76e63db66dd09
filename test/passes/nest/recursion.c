// Recursive callees that wait for ordinary memory become nested coroutines,
// once for each call, while the serial version and loops that are left alone
// keep the call.
//
// RUN: %clang -O2 -Rpass=heddle -Rpass-missed=heddle -Wno-pass-failed -emit-llvm -S -o %t.ll %s 2>&1 | FileCheck %s
// RUN: %clang -O2 -Rpass-missed=heddle -Wno-pass-failed -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=WHY %s
// RUN: FileCheck --check-prefix=CODE --input-file=%t.ll %s
// RUN: %clang -O1 -DONE -Rpass=heddle -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=ONE %s
// RUN: %clang -Os -DONE -Rpass-missed=heddle -Wno-pass-failed -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: %clang -O2 -fno-inline -DONE -Rpass-missed=heddle -Wno-pass-failed -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=NONE %s
// ONE: 'total' became a nested coroutine
// NONE: loop not interleaved: what the call of 'total'

#include <stdarg.h>

struct node {
  struct node *left, *right;
  long key, value;
};

#define FOR _Pragma("heddle async") for (long i = 0; i < count; ++i)

static long total(const struct node *n) {
  if (!n)
    return 1;
  const long left = total(n->left);
  return left * 3 + total(n->right) + n->key;
}

// CHECK: :[[#@LINE+7]]:3: remark: interleaved the loop's iterations (lockstep and FIFO schedules): 1 suspension point, 1 request
// CHECK: :[[#@LINE+6]]:{{[0-9]+}}: remark: 'total' became a nested coroutine: 64 calls deep
// CODE-NOT: __heddle_nested
// CODE-LABEL: define {{.*}}@sums(
// CODE: call {{.*}}@total(
void sums(struct node *const *roots, long *out, long count) {
  // The loop.
  FOR out[i] = total(roots[i]);
}

#ifndef ONE

struct best {
  long distance;
  const struct node *node;
};

static void nearest(const struct node *n, long key, struct best *best) {
  if (!n)
    return;
  const long difference = n->key - key;
  if (difference * difference < best->distance) {
    best->distance = difference * difference;
    best->node = n;
  }
  nearest(difference > 0 ? n->left : n->right, key, best);
  if (n->value * n->value < best->distance)
    nearest(difference > 0 ? n->right : n->left, key, best);
}

// One point: behind the call, the node has been seen.
// CHECK: :[[#@LINE+4]]:3: remark: interleaved the loop's iterations {{.*}}: 1 suspension point, 1 request,
// CHECK: remark: 'nearest' became a nested coroutine: 64 calls deep
void search(const struct node *root, const long *keys, const struct node **out,
            long count) {
  FOR {
    struct best best = {1L << 60, 0};
    nearest(root, keys[i], &best);
    out[i] = best.node;
  }
}

// As in a member function: where the results go is read anew in each
// iteration, and the call beside the nested coroutine does not change it.
struct searcher {
  const struct node *root;
  const long *keys;
  const struct node **out;
  long count;
};

// CHECK: :[[#@LINE+3]]:3: remark: interleaved the loop's iterations {{.*}}: 1 suspension point, 1 request,
void searchAll(struct searcher *s) {
  const long count = s->count;
  FOR {
    struct best best = {1L << 60, 0};
    nearest(s->root, s->keys[i], &best);
    s->out[i] = best.node;
  }
}

// The children's loop stays rolled, so that there is one recursive call.
struct many {
  struct many *children[8];
  long value;
};
static long walk(const struct many *m, long depth) {
  long sum = m->value;
  for (int i = 0; i < 8; ++i)
    if (m->children[i])
      sum += walk(m->children[i], depth + 1) ^ depth;
  return sum;
}

// CHECK: :[[#@LINE+2]]:3: remark: interleaved the loop's iterations
void walks(struct many *const *roots, long *out, long count) {
  FOR out[i] = walk(roots[i], 0);
}

// One point for each element: what is read beside the call lies in the line
// that the callee accesses first.
struct value {
  long kind, number, name;
  struct value *first, *next;
};
static long sizes(const struct value *v) {
  if (v->kind == 0)
    return v->number;
  long sum = 0;
  for (const struct value *e = v->first; e; e = e->next)
    sum += v->kind == 1 ? e->name % 16 * sizes(e) : sizes(e);
  return sum;
}

// CHECK: :[[#@LINE+2]]:3: remark: interleaved the loop's iterations {{.*}}: 1 suspension point, 1 request,
void documents(struct value *const *roots, long *out, long count) {
  FOR out[i] = sizes(roots[i]);
}

// A coordinate that is chosen by a variable lies with the others.
struct point {
  float at[3];
  unsigned name;
  struct point *below, *above;
};
static void inside(const struct point *p, const float *low, int axis,
                   long *found) {
  if (!p)
    return;
  *found += p->at[0] > low[0] ? p->name : 0;
  const float apart = p->at[axis] - low[0];
  inside(apart > 0 ? p->below : p->above, low, axis == 2 ? 0 : axis + 1, found);
  if (apart * apart < 10)
    inside(apart > 0 ? p->above : p->below, low, axis == 2 ? 0 : axis + 1,
           found);
}

// CHECK: :[[#@LINE+3]]:3: remark: interleaved the loop's iterations {{.*}}: 1 suspension point, 1 request,
void insides(const struct point *root, const float *low, long *out,
             long count) {
  FOR {
    long found = 0;
    inside(root, low + i, 0, &found);
    out[i] = found;
  }
}

static long anyNumber(const struct node *n, ...) {
  va_list list;
  va_start(list, n);
  const long more = va_arg(list, long);
  va_end(list);
  return n ? anyNumber(n->left, more + 1) + anyNumber(n->right, more) + n->key
           : more;
}

// WHY: :[[#@LINE+4]]:{{[0-9]+}}: remark: what this call waits for is not hidden: 'anyNumber' takes any number of arguments
// CHECK: :[[#@LINE+3]]:3: remark: loop not interleaved: what the call of 'anyNumber'
void refused(struct node *const *roots, long *out, long count) {
  // The loop.
  FOR out[i] = anyNumber(roots[i], i);
}

// An update around the recursion stays whole, so nothing is left to wait for;
// the loop is what it was.
static void count_(struct node *n) {
  if (!n)
    return;
  const long old = n->value;
  count_(n->left);
  count_(n->right);
  n->value = old + 1;
}

// CODE-LABEL: define {{.*}}@updates(
// CODE-NOT: alloca
// CODE: call {{.*}}@count_(
// CODE-NOT: switch
// CODE: ret void
void updates(struct node *const *roots, long count) { FOR count_(roots[i]); }

#endif
