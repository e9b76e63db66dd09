// Where iterations unlink elements, none of them holds an element of a walk
// while others run: the store into it might be lost.
//
// RUN: %same_output -fno-exceptions | FileCheck %s --check-prefix=LOOPS
//
// LOOPS-COUNT-8: remark: interleaved the loop
// LOOPS-NOT: the loop's iterations

#include "../Inputs/program.h"

#include <list>
#include <string.h>

enum { Lists = 64, Few = 400 };

/// What takes long.
#define FAR(i) table[table[(i) % Elements]]

struct Item {
  Item *next;
  int64_t key, value;
};
static Item *heads[Lists], sentinels[Lists], items[Elements];

static void fillLists() {
  memset(heads, 0, sizeof heads);
  for (int64_t k = 0; k < Elements; ++k) {
    items[k] = {heads[k % Lists], k, 3 * k};
    heads[k % Lists] = &items[k];
  }
}

static int64_t hash() {
  uint64_t sum = 0;
  for (Item *item : heads)
    for (int steps = 0; item && steps < Elements; item = item->next, ++steps)
      sum = sum * 31 + uint64_t((item->key + 1) * item->value);
  return int64_t(sum);
}

PROGRAM(unlinked) {
  fillLists();
  ASYNC_LOOP(CLAUSES) {
    const int64_t key = FAR(keys[i]);
    for (Item **at = &heads[key % Lists]; *at; at = &(*at)->next)
      if ((*at)->key == key) {
        *at = (*at)->next;
        break;
      }
  }
  return hash();
}

PROGRAM(unlinkedBehindSentinel) {
  fillLists();
  for (int list = 0; list < Lists; ++list)
    sentinels[list].next = heads[list];
  ASYNC_LOOP(CLAUSES) {
    const int64_t key = FAR(keys[i]);
    for (Item *item = &sentinels[key % Lists]; item->next; item = item->next)
      if (item->next->key == key) {
        item->next = item->next->next;
        break;
      }
  }
  for (int list = 0; list < Lists; ++list)
    heads[list] = sentinels[list].next;
  return hash();
}

PROGRAM(movedToTheTail) {
  fillLists();
  ASYNC_LOOP(CLAUSES) {
    const int64_t key = FAR(keys[i]);
    Item **at = &heads[key % Lists];
    while (*at && (*at)->key != key)
      at = &(*at)->next;
    if (Item *item = *at) {
      item->value += 2;
      *at = item->next;
      while (*at)
        at = &(*at)->next;
      *at = item;
      item->next = nullptr;
    }
  }
  uint64_t sum = 0;
  for (Item *item : heads)
    for (; item; item = item->next)
      sum += uint64_t((item->key + 1) * item->value);
  return int64_t(sum);
}

struct Linked {
  int64_t key;
  Linked *previous, *next;
};
static Linked rings[8], elements[Few];

// Inserts an element where there is none, else unlinks it.
PROGRAM(toggledInRing) {
  for (Linked &ring : rings)
    ring.previous = ring.next = &ring;
  ASYNC_LOOP(CLAUSES) {
    const int64_t key = FAR(keys[i]) % Few;
    Linked *ring = &rings[key % 8], *at = ring->next;
    while (at != ring && at->key < key)
      at = at->next;
    if (at != ring && at->key == key) {
      at->previous->next = at->next;
      at->next->previous = at->previous;
      continue;
    }
    Linked *element = &elements[key], *before = at->previous;
    *element = {key, before, at};
    before->next = element;
    at->previous = element;
  }
  uint64_t sum = 0;
  for (Linked &ring : rings) {
    for (Linked *at = ring.next; at != &ring; at = at->next)
      sum = sum * 31 + uint64_t(at->key);
    for (Linked *at = ring.previous; at != &ring; at = at->previous)
      sum = sum * 31 + uint64_t(at->key);
  }
  return int64_t(sum);
}

static std::list<int64_t> lists[Lists];
PROGRAM(spliced) {
  for (auto &list : lists)
    list.clear();
  for (int64_t k = 0; k < Elements; ++k)
    lists[k % Lists].push_front(k);
  ASYNC_LOOP(CLAUSES) {
    const int64_t key = FAR(keys[i]);
    auto &list = lists[key % Lists];
    for (auto at = list.begin(); at != list.end(); ++at)
      if (*at == key) {
        list.splice(list.begin(), list, at);
        break;
      }
  }
  uint64_t sum = 0;
  for (auto &list : lists)
    for (int64_t key : list)
      sum += uint64_t(key * key + 1);
  return int64_t(sum);
}

static uint32_t following[Elements + 1 + Lists];
static int64_t keyAt[Elements + 1];
PROGRAM(unlinkedByIndex) {
  uint32_t *first = following + Elements + 1;
  memset(first, 0, Lists * sizeof *first);
  for (uint32_t k = 1; k <= Elements; ++k) {
    keyAt[k] = k;
    following[k] = first[k % Lists];
    first[k % Lists] = k;
  }
  ASYNC_LOOP(CLAUSES) {
    const int64_t key = FAR(keys[i]) + 1;
    for (uint32_t at = Elements + 1 + key % Lists; following[at];
         at = following[at])
      if (keyAt[following[at]] == key) {
        following[at] = following[following[at]];
        break;
      }
  }
  uint64_t sum = 0;
  for (int list = 0; list < Lists; ++list)
    for (uint32_t at = first[list]; at; at = following[at])
      sum = sum * 31 + at;
  return int64_t(sum);
}

// The walk may be interrupted: elements are only inserted.
PROGRAM(inserted) {
  memset(heads, 0, sizeof heads);
  memset(items, 0, sizeof items);
  ASYNC_LOOP(CLAUSES) {
    const int64_t key = FAR(keys[i]) % Few;
    Item **at = &heads[key % Lists];
    while (*at && (*at)->key != key)
      at = &(*at)->next;
    if (!*at) {
      items[key] = {nullptr, key, 1};
      *at = &items[key];
    }
  }
  uint64_t sum = 0;
  for (Item *item : heads)
    for (; item; item = item->next)
      sum += uint64_t(item->key * item->key + 1);
  return int64_t(sum);
}

static uint32_t parents[Elements];
static uint32_t rootOf(uint32_t v) {
  while (parents[v] != v) {
    parents[v] = parents[parents[v]];
    v = parents[v];
  }
  return v;
}
PROGRAM(joined) {
  for (uint32_t v = 0; v < Elements; ++v)
    parents[v] = v;
  ASYNC_LOOP(CLAUSES) {
    const uint32_t a = rootOf(uint32_t(FAR(keys[i])));
    const uint32_t b = rootOf(uint32_t(FAR(i)));
    if (a < b)
      parents[b] = a;
    else
      parents[a] = b;
  }
  uint64_t sum = 0;
  for (uint32_t v = 0; v < Elements; ++v)
    sum = sum * 31 + rootOf(v);
  return int64_t(sum);
}

int main() {
  prepare();
  printPrograms();
}
