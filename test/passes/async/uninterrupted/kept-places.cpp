// An iteration that keeps places in an array of its own, and updates them
// later, is not interrupted between the reads by which it has chosen them and
// the updates.
//
// RUN: %same_output -fno-exceptions | FileCheck %s
// CHECK-COUNT-5: remark: {{interleaved the loop|requested ahead}}

#include "../Inputs/program.h"

#include <string.h>

enum { Levels = 4, Few = 500 };

/// What takes long, from the second load on.
#define FAR(i) table[table[table[(i) % Elements]]]

struct Tower {
  Tower *next[Levels];
  uint32_t key;
  int64_t value;
};
static Tower head, towers[Few + 1];

static int levelsOf(uint32_t key) {
  return 1 + int(key * 2654435761u >> 29 & 3);
}

static void clear() {
  memset(&head, 0, sizeof head);
  memset(towers, 0, sizeof towers);
}

static int64_t hash() {
  uint64_t sum = 0;
  for (int level = 0; level < Levels; ++level) {
    int steps = 0;
    for (Tower *at = head.next[level]; at && steps++ < Few;
         at = at->next[level])
      sum = sum * 31 + at->key * uint64_t(at->value);
  }
  return int64_t(sum);
}

PROGRAM(towersBefore) {
  clear();
  ASYNC_LOOP(CLAUSES) {
    const uint32_t key = uint32_t(FAR(keys[i])) % Few + 1;
    Tower *before[Levels], *at = &head;
    for (int level = Levels - 1; level >= 0; --level) {
      while (at->next[level] && at->next[level]->key < key)
        at = at->next[level];
      before[level] = at;
    }
    at = at->next[0];
    if (at && at->key == key) {
      at->value += 2;
      continue;
    }
    Tower *tower = &towers[key];
    tower->key = key;
    tower->value = FAR(key);
    for (int level = 0; level < levelsOf(key); ++level) {
      tower->next[level] = before[level]->next[level];
      before[level]->next[level] = tower;
    }
  }
  return hash();
}

// Inserts a tower where there is none, else unlinks it.
PROGRAM(slotsOfTowers) {
  clear();
  ASYNC_LOOP(CLAUSES) {
    const uint32_t key = uint32_t(FAR(keys[i])) % Few + 1;
    Tower **slots[Levels], *at = &head;
    for (int level = Levels - 1; level >= 0; --level) {
      while (at->next[level] && at->next[level]->key < key)
        at = at->next[level];
      slots[level] = &at->next[level];
    }
    at = *slots[0];
    if (at && at->key == key) {
      for (int level = 0; level < levelsOf(key); ++level)
        *slots[level] = at->next[level];
      continue;
    }
    Tower *tower = &towers[key];
    tower->key = key;
    tower->value = key + 7;
    for (int level = 0; level < levelsOf(key); ++level) {
      tower->next[level] = *slots[level];
      *slots[level] = tower;
    }
  }
  return hash();
}

static uint32_t following[Levels][Few + 1];
static int64_t values[Few + 1];
PROGRAM(indicesBefore) {
  memset(following, 0, sizeof following);
  memset(values, 0, sizeof values);
  ASYNC_LOOP(CLAUSES) {
    const uint32_t key = uint32_t(FAR(keys[i])) % Few + 1;
    uint32_t before[Levels], at = 0;
    for (int level = Levels - 1; level >= 0; --level) {
      while (following[level][at] && following[level][at] < key)
        at = following[level][at];
      before[level] = at;
    }
    if (following[0][at] == key) {
      values[key] += 2;
      continue;
    }
    values[key] = FAR(key);
    for (int level = 0; level < levelsOf(key); ++level) {
      following[level][key] = following[level][before[level]];
      following[level][before[level]] = key;
    }
  }
  uint64_t sum = 0;
  for (auto &level : following) {
    int steps = 0;
    for (uint32_t at = level[0]; at && steps++ < Few; at = level[at])
      sum = sum * 31 + at * uint64_t(values[at]);
  }
  return int64_t(sum);
}

static struct Entry {
  uint32_t key, count;
  int64_t value;
} tables[Levels][1024];

static int64_t sumOfTables() {
  uint64_t sum = 0;
  for (auto &entries : tables)
    for (Entry &entry : entries)
      sum += entry.key * (uint64_t(entry.value) + entry.count);
  return int64_t(sum);
}

PROGRAM(slotsOfTables) {
  memset(tables, 0, sizeof tables);
  ASYNC_LOOP(CLAUSES) {
    const uint32_t key = uint32_t(FAR(keys[i])) % Few + 1, used = 1 + key % 4;
    Entry *slots[Levels];
    for (uint32_t t = 0; t < used; ++t) {
      uint32_t at = key * (40503 + 2 * t) % 1024;
      while (tables[t][at].key && tables[t][at].key != key)
        at = (at + 1) % 1024;
      slots[t] = &tables[t][at];
    }
    const int64_t value = FAR(key);
    for (uint32_t t = 0; t < used; ++t) {
      slots[t]->key = key;
      slots[t]->value = value;
      slots[t]->count++;
    }
  }
  return sumOfTables();
}

PROGRAM(indicesOfSlots) {
  memset(tables, 0, sizeof tables);
  ASYNC_LOOP(CLAUSES) {
    const uint32_t key = uint32_t(FAR(keys[i])) % Few + 1, used = 1 + key % 4;
    uint32_t slots[Levels];
    for (uint32_t t = 0; t < used; ++t) {
      uint32_t at = key * (40503 + 2 * t) % 1024;
      while (tables[t][at].key && tables[t][at].key != key)
        at = (at + 1) % 1024;
      slots[t] = at;
    }
    const int64_t value = FAR(key);
    for (uint32_t t = 0; t < used; ++t) {
      Entry &entry = tables[t][slots[t]];
      entry.key = key;
      entry.value = value;
      entry.count++;
    }
  }
  return sumOfTables();
}

int main() {
  prepare();
  printPrograms();
}
