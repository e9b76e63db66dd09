// Loops that break the promise of the directive, and what is found in them: the
// comment in front of each function says so. Those that are silent are right in
// any order.
//
// REQUIRES: plugin
// RUN: %heddle_clang -fheddle-check -O1 %fopenmp %s -o %t
// RUN: HEDDLE_CHECK=json:%t.json %t && %S/Inputs/expected-findings %s %t.json
// RUN: %heddle_clang -fheddle-check -O0 %fopenmp %s -o %t
// RUN: HEDDLE_CHECK=json:%t.json %t && %S/Inputs/expected-findings %s %t.json
//
// A pipe that no one reads does not end the program.
// RUN: rm -f %t.pipe && mkfifo %t.pipe && bash -c 'exec 8<>%t.pipe 9>%t.pipe 8<&-; %t 2>&9'

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { N = 600, M = 1024 };
static uint64_t A[M], B[M], out[N];
typedef struct {
  uint32_t k, v;
} KV;
static KV t[2048];
static uint32_t keys[2048], vals[2048];
// finds: update torn between lines 't[66].k'
static void upsert_insert_if_absent(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    uint32_t k = A[B[i]] % 500 + 1, h = k * 2654435761u % 256;
    while (t[h].k && t[h].k != k)
      h = (h + 1) % 2048;
    if (!t[h].k) {
      t[h].k = k;
      t[h].v = A[k];
    }
  }
}
// finds: update torn between lines 'vals[25]'
static void upsert_arrays(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    uint32_t k = A[B[i]] % 50 + 1, h = k;
    if (keys[h] == k)
      vals[h] += i;
    else if (!keys[h]) {
      keys[h] = k;
      vals[h] = i;
    }
  }
}
// finds: update torn between lines 't[1025].v'
static void upsert_pointer(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    uint32_t k = A[B[i]] % 50 + 1;
    KV *s = &t[k + 1000];
    if (s->k == k) {
      s->v += 5;
      continue;
    }
    s->k = k;
    s->v = A[k];
  }
}
// finds: update torn between lines 't[1125].k'
static void upsert_copy(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    uint32_t k = A[B[i]] % 50 + 1;
    KV r = t[k + 1100];
    if (r.k == 0) {
      r.k = k;
      r.v = i;
    } else
      r.v = r.v * 3 + i;
    t[k + 1100] = r;
  }
}
static __attribute__((noinline)) KV *slot(uint32_t k) { return &t[k + 1200]; }
// finds: update torn between lines 's->v'
static void upsert_call(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    uint32_t k = A[B[i]] % 50 + 1;
    KV *s = slot(k);
    if (!s->k) {
      s->k = k;
      s->v = i;
    }
    s->v++;
  }
}
static __attribute__((noinline)) void put(KV *s, uint32_t k, uint32_t x) {
  if (s->k != k) {
    s->k = k;
    s->v = 0;
  }
  s->v += x;
}
// finds: update torn between lines 's->k'
static void upsert_callee(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    uint32_t k = A[B[i]] % 50 + 1;
    put(&t[k % 16 + 1300], k, i);
  }
}
static uint64_t total, last;
static __attribute__((noinline)) void combine(uint64_t x) {
  total = total * 31 + x;
}
// finds: sequential variable 'total'
static void reduction_callee(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i)
    combine(A[B[i]]);
}
// finds: order-dependent output 's[1]'
static void reduction_slots(void) {
  uint64_t s[4] = {0};
#pragma heddle async
  for (int i = 0; i < N; ++i)
    s[i & 3] = s[i & 3] * 3 + A[B[i]];
  out[0] = s[0];
}
static double mean[2];
// finds: order-dependent output 'mean[0]'
static void reduction_running(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    double *m = &mean[A[i] & 1];
    *m = *m + (A[B[i]] - *m) / (i + 1);
  }
}
// finds: sequential variable 'h'
static void reduction_omp(void) {
  uint64_t h = 0;
#pragma omp parallel for num_threads(2)
#pragma heddle async
  for (int i = 0; i < N; ++i)
    h = h * 31 + A[B[i]];
  out[1] = h;
}
// finds: reads what another iteration wrote 'out[1]'
static void prefix(void) {
#pragma heddle async
  for (int i = 1; i < N; ++i)
    out[i] = out[i - 1] + A[B[i]];
}
// finds: reads what another iteration wrote 'out[598]'
static void prefix_back(void) {
#pragma heddle async
  for (int i = N - 2; i >= 0; --i)
    out[i] = out[i + 1] + A[B[i]];
}
// finds: reads what another iteration wrote
static void prefix_anti(void) {
#pragma heddle async
  for (int i = 0; i < N - 1; ++i)
    out[i] = out[i + 1] * 3 + A[B[i]];
}
// finds: reads what another iteration wrote 'out[100]'
static void prefix_far(void) {
#pragma heddle async
  for (int i = 100; i < N; ++i)
    out[i] = out[i - 100] + A[B[i]];
}
// Whose conflict is shown depends on which thread is first.
// finds: reads what another iteration wrote
static void prefix_omp(void) {
#pragma omp parallel for num_threads(2)
#pragma heddle async
  for (int i = 1; i < N; ++i)
    out[i] = out[i - 1] + A[B[i]];
}
// finds: reads what another iteration wrote 'out[1]'
static void prefix_memcpy(void) {
#pragma heddle async
  for (int i = 1; i < N; ++i) {
    memcpy(&out[i], &out[i - 1], 8);
    out[i] += A[B[i]];
  }
}
// finds: reads what another iteration wrote
static void prefix_bytes(void) {
  unsigned char *b = (unsigned char *)out;
#pragma heddle async
  for (int i = 1; i < N; ++i)
    b[i] = b[i - 1] ^ A[B[i]];
}
typedef struct Node {
  struct Node *next;
  uint64_t v;
} Node;
static Node pool[N], *head, *bucket[32];
// finds: sequential variable 'head'
static void list_push(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    Node *n = &pool[i];
    n->v = A[B[i]];
    n->next = head;
    head = n;
  }
}
// finds: sequential variable 'first'
static void list_push_local(void) {
  Node *first = 0;
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    Node *n = &pool[i];
    n->v = A[B[i]];
    n->next = first;
    first = n;
  }
  head = first;
}
// finds: sequential variable 'head'
static void list_malloc(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    Node *n = malloc(sizeof *n);
    n->v = A[B[i]];
    n->next = head;
    head = n;
  }
}
// finds: reads what another iteration wrote 'bucket[16]'
static void list_bucket(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    Node *n = &pool[i];
    uint64_t h = A[B[i]] % 32;
    n->next = bucket[h];
    bucket[h] = n;
  }
}
// finds: order-dependent output 'tail->next'
static void list_tail(void) {
  Node *tail = &pool[0];
#pragma heddle async
  for (int i = 1; i < N; ++i) {
    Node *n = &pool[i];
    n->next = 0;
    n->v = A[B[i]];
    tail->next = n;
    tail = n;
  }
}
// finds: order-dependent output '*tail'
static void list_tail2(void) {
  Node **tail = &head;
#pragma heddle async
  for (int i = 1; i < N; ++i) {
    Node *n = &pool[i];
    n->next = 0;
    n->v = A[B[i]];
    *tail = n;
    tail = &n->next;
  }
}
typedef struct {
  uint64_t *data;
  size_t size, room;
} Vec;
static Vec vec;
static __attribute__((noinline)) void append(Vec *v, uint64_t x) {
  if (v->size == v->room) {
    v->room = v->room ? 2 * v->room : 8;
    v->data = realloc(v->data, v->room * 8);
  }
  v->data[v->size++] = x;
}
// finds: sequential variable 'v->size'
static void list_vector(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i)
    append(&vec, A[B[i]]);
}
// finds: reads what another iteration wrote 'q[1]'
static void worklist(void) {
  static int q[4 * M];
  static char seen[M];
  int n = 1;
  q[0] = 1;
#pragma heddle async
  for (int i = 0; i < n; ++i) {
    int w = A[q[i]] % M;
    if (!seen[w]) {
      seen[w] = 1;
      q[n++] = w;
    }
    int x = B[q[i]] % M;
    if (!seen[x]) {
      seen[x] = 1;
      q[n++] = x;
    }
  }
}
// finds: update torn between lines 'q[1]'
static void worklist_stack(void) {
  static int q[4 * M];
  static char seen[M];
  int n = 1;
  q[0] = 1;
#pragma heddle async
  while (n > 0) {
    int v = q[--n];
    int w = A[v] % M;
    if (!seen[w]) {
      seen[w] = 1;
      q[n++] = w;
    }
    int x = B[v] % M;
    if (!seen[x]) {
      seen[x] = 1;
      q[n++] = x;
    }
  }
}
static int parent[M];
static int find(int x) {
  while (parent[x] != x)
    x = parent[x];
  return x;
}
static int find_halving(int x) {
  while (parent[x] != x) {
    parent[x] = parent[parent[x]];
    x = parent[x];
  }
  return x;
}
// finds: reads what another iteration wrote 'parent[888]'
static void union_find(void) {
  for (int i = 0; i < M; i++)
    parent[i] = i;
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    int a = find(A[i] % M), b = find(B[i] % M);
    if (a < b)
      parent[b] = a;
    else
      parent[a] = b;
  }
}
// finds: reads what another iteration wrote 'parent[888]'
static void union_find_halving(void) {
  for (int i = 0; i < M; i++)
    parent[i] = i;
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    int a = find_halving(A[i] % M), b = find_halving(B[i] % M);
    if (a != b)
      parent[a] = b;
  }
}
// finds: reads what another iteration wrote 'parent[888]'
static void union_find_inline(void) {
  for (int i = 0; i < M; i++)
    parent[i] = i;
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    int a = A[i] % M, b = B[i] % M;
    while (a != parent[a])
      a = parent[a];
    while (b != parent[b])
      b = parent[b];
    parent[a] = b;
  }
}
static __attribute__((noinline)) const char *text(uint64_t x) {
  static char buf[32];
  snprintf(buf, sizeof buf, "%lu", x);
  return buf;
}
// finds: order-dependent output 'buf[0]'
static void buffer_text(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    const char *s = text(A[i]);
    out[i] = A[B[i]] + s[1];
  }
}
static __attribute__((noinline)) uint64_t *digits(uint64_t x) {
  static uint64_t d[8];
  for (int j = 0; j < 8; ++j)
    d[j] = x >> j;
  return d;
}
// finds: order-dependent output 'd[0]'
static void buffer_digits(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    uint64_t *d = digits(A[i]);
    out[i] = A[B[i]] + d[3];
  }
}
static __attribute__((noinline)) uint64_t scratch(uint64_t x) {
  static uint64_t d[8];
  memset(d, 0, sizeof d);
  d[x % 8] = x;
  uint64_t s = A[B[x % M]];
  for (int j = 0; j < 8; ++j)
    s += d[j];
  return s;
}
// finds: order-dependent output 'd[0]'
static void buffer_inside(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i)
    out[i] = scratch(A[i]);
}
static __attribute__((noinline)) KV *pair(uint32_t x) {
  static KV p;
  p.k = x;
  p.v = x * 2;
  return &p;
}
// finds: update torn between lines 'p.v'
static void buffer_struct(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    KV *p = pair(A[i]);
    uint64_t y = A[B[i]];
    out[i] = y + p->v;
  }
}
// silent
static void buffer_outside(void) {
  uint64_t d[8];
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < 8; ++j)
      d[j] = A[i] >> j;
    out[i] = A[B[i]];
    for (int j = 0; j < 8; ++j)
      out[i] += d[j];
  }
}
// finds: order-dependent output 'out[16]'
static void order_scatter(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i)
    out[A[B[i]] % 32] = i;
}
// silent
static void order_max(void) {
  static struct {
    uint64_t max, where;
  } best[16];
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    uint64_t h = B[i] % 16, x = A[B[i]] % 100;
    if (best[h].max < x) {
      best[h].max = x;
      best[h].where = i;
    }
  }
}
int main(void) {
  for (int i = 0; i < M; i++)
    A[i] = (i * 2654435761u) >> 7, B[i] = (i * 7919u) % M;
  for (int i = 0; i < M; i++)
    A[i] %= M;
  upsert_insert_if_absent();
  upsert_arrays();
  upsert_pointer();
  upsert_copy();
  upsert_call();
  upsert_callee();
  reduction_callee();
  reduction_slots();
  reduction_running();
  reduction_omp();
  prefix();
  prefix_back();
  prefix_anti();
  prefix_far();
  prefix_omp();
  prefix_memcpy();
  prefix_bytes();
  list_push();
  list_push_local();
  list_malloc();
  list_bucket();
  list_tail();
  list_tail2();
  list_vector();
  worklist();
  worklist_stack();
  union_find();
  union_find_halving();
  union_find_inline();
  buffer_text();
  buffer_digits();
  buffer_inside();
  buffer_struct();
  buffer_outside();
  order_scatter();
  order_max();
}
