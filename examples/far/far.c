/* Looks keys up in a hash table that lies in a file. Each lookup reads a page
 * from the disk; the directive lets other lookups go on in the meantime. */

#include <heddle/far.h>

#include <stdint.h>
#include <stdio.h>

struct slot {
  uint64_t key; /* 0: empty */
  uint64_t value;
};

enum { Keys = 200000, SlotBits = 19, Lookups = 50000 };
static const uint64_t Slots = (uint64_t)1 << SlotBits;

static uint64_t hash(uint64_t key) {
  return key * 0x9e3779b97f4a7c15u >> (64 - SlotBits);
}

static int write_table(const char *path) {
  heddle_far struct slot *table = (heddle_far struct slot *)heddle_far_open(
      path, HEDDLE_FAR_CREATE, Slots * sizeof *table);
  if (!table)
    return -1;
  for (uint64_t key = 1; key <= Keys; ++key) {
    uint64_t at = hash(key);
    while (table[at].key != 0)
      at = (at + 1) % Slots;
    table[at].key = key;
    table[at].value = key * key;
  }
  return heddle_far_close(table);
}

int main(int count, char **arguments) {
  if (count != 2) {
    fprintf(stderr, "usage: far FILE\n");
    return 2;
  }
  const char *path = arguments[1];
  if (write_table(path) != 0) {
    perror(path);
    return 1;
  }

  //! [open]
  heddle_far const struct slot *table =
      (heddle_far const struct slot *)heddle_far_open(path, HEDDLE_FAR_READ, 0);
  if (!table) {
    perror(path);
    return 1;
  }
  //! [open]

  //! [loop]
  uint64_t sum = 0, hits = 0;
#pragma heddle async scheduler(dynamic)
  for (uint64_t i = 0; i < Lookups; ++i) {
    uint64_t key = 1 + i * 7919 % (2 * Keys);
    uint64_t at = hash(key);
    while (table[at].key != 0 && table[at].key != key)
      at = (at + 1) % Slots;
    if (table[at].key == key) {
      hits += 1;
      sum += table[at].value;
    }
  }
  //! [loop]

  printf("%lu of %d keys found, values sum up to %lu\n", (unsigned long)hits,
         Lookups, (unsigned long)sum);
  heddle_far_close((heddle_far void *)table);
  return 0;
}
