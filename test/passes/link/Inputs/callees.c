// What the loops of callees-elsewhere.c call.

#include "callees.h"

const struct Part *findPart(const struct Part *const *buckets, long mask,
                            long number) {
  const struct Part *part = buckets[number & mask];
  while (part && part->number != number)
    part = part->next;
  return part;
}

long sumBelow(const struct Tree *tree, long limit) {
  if (!tree)
    return 0;
  return sumBelow(tree->left, limit) +
         (tree->key < limit ? tree->key + sumBelow(tree->right, limit) : 0);
}

long scratch;

void keep(long value) { scratch = value; }
