/* The declarations that the example of README.md uses. */
#include <stddef.h>
#include <stdint.h>

struct node {
  uint64_t key;
  struct node *next;
};
struct table {
  struct node **buckets;
  uint64_t mask;
};

static inline uint64_t hash(uint64_t key) { return key * 0x9e3779b97f4a7c15u; }

long countHits(const struct table *t, const uint64_t *keys, long n);
