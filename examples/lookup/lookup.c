/* Looks keys up in a chained hash table. Each lookup waits for memory twice or
 * more; the directive lets other lookups go on in the meantime. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
  uint64_t key;
  struct node *next;
};

enum { Count = 1 << 20, BucketBits = 20 };

static uint64_t hash(uint64_t key) {
  return key * 0x9e3779b97f4a7c15u >> (64 - BucketBits);
}

int main(void) {
  struct node **bucket = calloc((size_t)1 << BucketBits, sizeof *bucket);
  struct node *node = malloc(Count * sizeof *node);
  if (!bucket || !node)
    return 1;
  for (uint64_t i = 0; i < Count; ++i) {
    node[i] = (struct node){3 * i, bucket[hash(3 * i)]};
    bucket[hash(3 * i)] = &node[i];
  }

  //! [loop]
  long hits = 0;
#pragma omp parallel for reduction(+ : hits)
#pragma heddle async
  for (uint64_t i = 0; i < Count; ++i)
    for (struct node *n = bucket[hash(2 * i)]; n; n = n->next)
      hits += n->key == 2 * i;
  //! [loop]

  printf("%ld of %d keys found\n", hits, Count);
  free(node);
  free(bucket);
}
