// MemorySanitizer finds nothing in interleaved loops, nor in the runtime, which
// is not compiled with it and reads a probe of the host.
//
// RUN: rm -rf %t.cache && mkdir %t.cache
// RUN: %clang -O1 %s %runtime -o %t.plain && env XDG_CACHE_HOME=%t.cache HEDDLE_PROBE=1 %t.plain >%t.expected
// RUN: %clang -O2 -g -fsanitize=memory %s -o %t.alone && %t.alone | diff %t.expected -
// RUN: %clang -O2 -g -fsanitize=memory %s %runtime -o %t.runtime
// RUN: env XDG_CACHE_HOME=%t.cache %t.runtime | diff %t.expected -
// RUN: env HEDDLE_TUNE=off HEDDLE_TASKS=5 %t.runtime | diff %t.expected -
// RUN: env HEDDLE_TUNE=%t.cache/tune HEDDLE_STATS=json:%t.cache/stats %t.runtime | diff %t.expected -
// RUN: env HEDDLE_TUNE=%t.cache/tune HEDDLE_STATS=1 %t.runtime 2>%t.stats | diff %t.expected -
// RUN: FileCheck %s <%t.stats
// CHECK: run-under-msan.c

#include <stdio.h>
#include <stdlib.h>

enum { Elements = 1 << 14 };

struct node {
  struct node *next;
  long value;
};

__attribute__((noinline)) static long sums(const long *a, const long *b,
                                           long n) {
  long sum = 0;
#pragma heddle async
  for (long i = 0; i < n; ++i) {
    long x = a[b[a[i]]], local[4];
    for (long k = 0; k < 4; ++k)
      local[k] = a[(x + k) % Elements];
    sum += x > 3 ? local[a[x] % 4] : 1;
  }
  return sum;
}

__attribute__((noinline)) static long lists(struct node *const *heads, long n) {
  long sum = 0;
#pragma heddle async
  for (long i = 0; i < n; ++i)
    for (const struct node *p = heads[i * 7 % Elements]; p; p = p->next)
      sum += p->value;
  return sum;
}

int main(void) {
  long *a = malloc(Elements * sizeof *a), *b = malloc(Elements * sizeof *b);
  struct node *nodes = malloc(Elements * sizeof *nodes);
  struct node **heads = calloc(Elements, sizeof *heads);
  for (long i = 0; i < Elements; ++i) {
    a[i] = i * 7919 % Elements;
    b[i] = i * 104729 % Elements;
    struct node **head = &heads[b[i] % (Elements / 4)];
    nodes[i] = (struct node){*head, i};
    *head = &nodes[i];
  }
  long sum = 0;
  for (int round = 0; round < 20; ++round)
    sum += sums(a, b, Elements - round) + lists(heads, Elements - round);
  printf("%ld\n", sum);
}
