// A function that is only declared leaves two hashes in a variable of the
// iteration. The buckets that they choose differ from iteration to iteration,
// so both and their chains are waited for.
//
// RUN: %clang -O3 -fopenmp -Rpass=heddle -S -o /dev/null %s 2>&1 | FileCheck %s

#include <stddef.h>
#include <stdint.h>

struct node {
  struct node *next;
  uint64_t key;
};

void hash(const void *key, int bytes, uint64_t *hashes);

long probe(struct node *const *table, size_t buckets, const uint64_t *keys,
           size_t count) {
  long hits = 0;
  // CHECK: hashes-in-variables.c:[[#@LINE+1]]:1: remark: interleaved the loop's iterations{{.*}}: 4 suspension points
#pragma omp parallel for reduction(+ : hits)
#pragma heddle async
  for (size_t i = 0; i < count; ++i) {
    uint64_t hashes[2];
    hash(&keys[i], sizeof keys[i], hashes);
    const struct node *p = table[hashes[0] % buckets];
    while (p && p->key != keys[i])
      p = p->next;
    hits += p != NULL;
    p = table[hashes[1] % buckets];
    while (p && p->key != keys[i])
      p = p->next;
    hits += p != NULL;
  }
  return hits;
}
