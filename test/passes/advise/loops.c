// The loops that wait for memory are named, most promising first, with what
// they wait for, what stands in the way, and what the directive would promise.
//
// REQUIRES: plugin
// RUN: %heddle_clang -fheddle-advise -O2 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %clang -fplugin-arg-HeddlePlugin-advise -Rpass-analysis=heddle-advise -O2 -c %s -o /dev/null 2>&1 | FileCheck %s
//
// The object file is what it is without the option.
// RUN: %heddle_clang -O2 -c %s -o %t.plain.o
// RUN: cmp %t.o %t.plain.o
//
// RUN: %heddle_clang -fheddle-advise -fno-heddle-advise -O2 -c %s -o /dev/null 2>&1 | count 0
// RUN: %heddle_clang -fheddle-advise -O0 -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=OFF
// OFF: no advice without optimization: compile with '-O1' or more
// OFF-NOT: remark:

// CHECK-NOT: remark:

struct node {
  unsigned long key, value;
  struct node *next;
};
struct table {
  struct node **heads;
  unsigned long mask;
};

// Of a nest, the loop whose iterations differ.
unsigned long repeat(const struct table *t, const unsigned long *keys, long n,
                     int times) {
  unsigned long sum = 0;
  for (int r = 0; r < times; ++r)
    // CHECK: loops.c:[[@LINE+1]]:5: remark: 1. this loop waits for 'p->key' (line [[@LINE+3]]); interleaving hides all of it; add '#pragma heddle async' in front of it if no iteration reads what another one has written [-Rpass-analysis=heddle-advise]
    for (long i = 0; i < n; ++i) {
      struct node *p = t->heads[keys[i] & t->mask];
      while (p && p->key != keys[i])
        p = p->next;
      if (p)
        sum += p->value;
    }
  return sum;
}

// CHECK-DAG: loops.c:[[@LINE+2]]:3: remark: 3. this loop waits for 't->heads[h]' (line [[@LINE+4]]); {{.*}} if no iteration reads what another one has written, but for whole updates that commute, of 't->heads[h]' (line [[@LINE+5]]) [
void build(struct table *t, struct node *nodes, long n) {
  for (long i = 0; i < n; ++i) {
    unsigned long h = (nodes[i].key * 0x9E3779B97F4A7C15ul) & t->mask;
    nodes[i].next = t->heads[h];
    t->heads[h] = &nodes[i];
  }
}

// CHECK-DAG: loops.c:[[@LINE+2]]:3: remark: 2. this loop waits for 'b[at[i]]' (line [[@LINE+3]]) and 'a[b[at[i]]]' (line [[@LINE+3]]); interleaving hides all of it; add '#pragma heddle async' in front of it
long first(const int *at, const int *a, const int *b, long n, int k) {
  for (long i = 0; i < n; ++i)
    if (a[b[at[i]]] == k)
      return i;
  return -1;
}

// CHECK-NOT: remark:

// Nobody would promise that these iterations are independent.
void rank(long *rank, const int *order, const int *weight, long n) {
  for (long i = 1; i < n; ++i)
    rank[i] = rank[i - 1] + weight[weight[order[i]]];
}

long length(const struct node *p) {
  long count = 0;
  for (; p; p = p->next)
    count += p->key == p->value;
  return count;
}

// These do not wait, or the processor overlaps their waits.
double sum(const double *x, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i)
    s += x[i];
  return s;
}

long gather(const int *x, const int *at) {
  long s = 0;
  for (int i = 0; i < 5; ++i)
    s += x[x[at[i]]];
  return s;
}

// This one has a directive.
long annotated(const int *x, const int *at, long n) {
  long s = 0;
#pragma heddle async
  for (long i = 0; i < n; ++i)
    s += x[x[at[i]]];
  return s;
}
