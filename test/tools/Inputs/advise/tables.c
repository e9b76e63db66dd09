#include "tables.h"
#include <stdio.h>
#include <stdlib.h>

static unsigned long state = 88172645463325252ul;
static unsigned long next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

__attribute__((noinline)) unsigned long follow(const unsigned *table,
                                               const unsigned long *keys,
                                               long n, unsigned long mask,
                                               int twice) {
  unsigned long sum = 0;
  // clang-format off
  if (twice) for (long i = 0; i < n; ++i)
    sum += table[table[keys[i] & mask] & mask];
  // clang-format on
  else
    for (long i = 0; i < n; ++i)
      sum += table[table[table[keys[i] & mask] & mask] & mask];
  return sum;
}

#define COUNT(TABLE, KEYS)                                                     \
  for (long i = 0; i < n; ++i)                                                 \
    ++TABLE[TABLE[KEYS[i] & mask] & mask];

__attribute__((noinline)) void count(unsigned *table, const unsigned long *keys,
                                     long n, unsigned long mask) {
  COUNT(table, keys)
}

__attribute__((noinline)) unsigned long lookUp(struct node **heads,
                                               unsigned long mask,
                                               const unsigned long *keys,
                                               long n) {
  unsigned long found = 0;
#pragma omp parallel for reduction(+ : found) schedule(dynamic, 1024)
  // Each key once.
  for (long i = 0; i < n; ++i) {
    struct node *p = heads[keys[i] & mask];
    while (p && p->key != keys[i])
      p = p->next;
    found += p != 0;
  }
  return found;
}

int main(void) {
  const long n = 1 << 12;
  const unsigned long mask = n - 1;
  struct node **heads = calloc(n, sizeof *heads);
  struct node *nodes = calloc(n, sizeof *nodes);
  unsigned long *keys = calloc(n, sizeof *keys);
  unsigned *table = calloc(n, sizeof *table);
  for (long i = 0; i < n; ++i) {
    struct node **head = &heads[(keys[i] = next()) & mask];
    nodes[i] = (struct node){keys[i], i, *head};
    *head = &nodes[i];
    table[i] = next();
  }
  printf("%lu %lu\n", probe(heads, mask, keys, n),
         lookUp(heads, mask, keys, n));
  printf("%lu %lu\n", follow(table, keys, n, mask, 0),
         follow(table, keys, n, mask, 1));
  free(heads);
  free(nodes);
  free(keys);
  free(table);
}
