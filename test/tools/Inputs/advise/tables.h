#ifndef TABLES_H
#define TABLES_H

struct node {
  unsigned long key, value;
  struct node *next;
};

static inline unsigned long probe(struct node **heads, unsigned long mask,
                                  const unsigned long *keys, long n) {
  unsigned long found = 0;
  for (long i = 0; i < n; ++i) {
    struct node *p = heads[keys[i] & mask];
    while (p && p->key != keys[i])
      p = p->next;
    if (p)
      found += p->value;
  }
  return found;
}

#endif
