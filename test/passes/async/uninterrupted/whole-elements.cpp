// An element that an iteration decides to update, and then updates in several
// fields, is not seen by other iterations in between.
//
// RUN: %same_output >%t.said
// RUN: FileCheck %s --check-prefix=LOOPS <%t.said
// RUN: FileCheck %s <%t.said
//
// LOOPS-COUNT-10: remark: interleaved the loop
// LOOPS-NOT: the loop's iterations

#include "../Inputs/program.h"

#include <string.h>

enum { Slots = 8192, Distinct = 500 };

#define FAR(x) table[table[(x) % Elements]]

/// Few keys, so that iterations in flight meet at one.
static uint32_t keyOf(int64_t i) {
  return uint32_t(FAR(keys[i])) % Distinct + 1;
}

template <class T> static uint64_t hash(const T *data, size_t count) {
  const auto *bytes = reinterpret_cast<const unsigned char *>(data);
  uint64_t sum = 0;
  for (size_t i = 0; i < count * sizeof(T); ++i)
    sum = sum * 31 + bytes[i];
  return sum;
}

struct Entry {
  uint32_t key, value;
};
static Entry *const entries = new Entry[Slots];

// Claims a slot, then fills it in.
PROGRAM(upsert) {
  memset(entries, 0, Slots * sizeof *entries);
  ASYNC_LOOP(CLAUSES) {
    const uint32_t key = keyOf(i);
    for (uint32_t at = key * 8 % Slots;; at = (at + 1) % Slots) {
      if (entries[at].key == key) {
        entries[at].value += 5;
        break;
      }
      if (entries[at].key == 0) {
        entries[at].key = key;
        // CHECK: :[[#@LINE+1]]:38: remark: the latency of this access is not hidden: a suspension here would split a read-modify-write (from line [[#@LINE-6]] to line [[#@LINE+1]])
        entries[at].value = uint32_t(FAR(key));
        break;
      }
    }
  }
  return int64_t(hash(entries, Slots));
}

struct Wide {
  int64_t key, first, second, count;
};
static Wide *const wide = new Wide[Slots];

// Three fields, the last two of which wait for something else.
PROGRAM(threeFields) {
  memset(wide, 0, Slots * sizeof *wide);
  ASYNC_LOOP(CLAUSES) {
    const uint32_t key = keyOf(i);
    Wide &entry = wide[key * 8 % Slots];
    if (entry.key == 0) {
      entry.key = key;
      entry.first = FAR(key);
      entry.second = FAR(FAR(key) + 1);
      entry.count = 1;
    } else {
      entry.count += entry.first ^ entry.second;
    }
  }
  return int64_t(hash(wide, Slots));
}

// The best so far, with what belongs to it.
struct Best {
  int64_t value, payload;
};
static Best best;
PROGRAM(bestWithPayload) {
  best = {-1, -1};
  ASYNC_LOOP(CLAUSES) {
    const int64_t value = FAR(keys[i]) * Elements + i;
    if (best.value < value) {
      best.value = value;
      best.payload = FAR(value);
    }
  }
  return best.value * 31 + best.payload;
}

// The same in each of many places.
static Best *const bests = new Best[Distinct + 1];
PROGRAM(bestOfEach) {
  memset(bests, 0, (Distinct + 1) * sizeof *bests);
  ASYNC_LOOP(CLAUSES) {
    const int64_t value = FAR(keys[i] + 7) * Elements + i;
    Best &of = bests[keyOf(i)];
    if (of.value < value) {
      of.value = value;
      of.payload = FAR(value);
    }
  }
  return int64_t(hash(bests, Distinct + 1));
}

// Through a pointer that comes from memory.
static Wide **const pointers = new Wide *[Distinct + 1];
PROGRAM(throughPointer) {
  memset(wide, 0, Slots * sizeof *wide);
  for (int64_t k = 0; k <= Distinct; ++k)
    pointers[k] = &wide[scramble(k) % Slots];
  ASYNC_LOOP(CLAUSES) {
    Wide *entry = pointers[keyOf(i)];
    if (entry->count == 0) {
      entry->count = 1;
      entry->first = FAR(entry->second + keyOf(i));
    } else {
      entry->count += entry->first & 3;
    }
  }
  return int64_t(hash(wide, Slots));
}

// Two stores without a load before them.
PROGRAM(pairOfStores) {
  memset(bests, 0, (Distinct + 1) * sizeof *bests);
  ASYNC_LOOP(CLAUSES) {
    const uint32_t key = keyOf(i);
    Best &of = bests[key];
    of.value = key + 1;
    of.payload += FAR(of.value);
    of.value = key;
  }
  return int64_t(hash(bests, Distinct + 1));
}

// A flag that says that the rest is there.
struct Cached {
  bool isThere;
  int64_t value;
};
static Cached *const cache = new Cached[Distinct + 1];
PROGRAM(memoization) {
  memset(cache, 0, (Distinct + 1) * sizeof *cache);
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    const uint32_t key = keyOf(i);
    Cached &cached = cache[key];
    if (!cached.isThere) {
      cached.isThere = true;
      cached.value = FAR(FAR(key));
    }
    sum += cached.value;
  }
  return sum;
}

// Parallel arrays are elements of several arrays.
static int64_t *const owners = new int64_t[Slots];
static int64_t *const amounts = new int64_t[Slots];
PROGRAM(parallelArrays) {
  memset(owners, 0, Slots * sizeof *owners);
  memset(amounts, 0, Slots * sizeof *amounts);
  ASYNC_LOOP(CLAUSES) {
    const uint32_t key = keyOf(i), at = key * 8;
    if (owners[at] == 0) {
      owners[at] = key;
      amounts[at] = FAR(key);
    } else {
      amounts[at] += 3;
    }
  }
  return int64_t(hash(owners, Slots) ^ hash(amounts, Slots));
}

// A row of an array in each element.
struct Bucket {
  int32_t count;
  int32_t items[7];
};
static Bucket *const bucketsOf = new Bucket[64];
PROGRAM(appended) {
  memset(bucketsOf, 0, 64 * sizeof *bucketsOf);
  ASYNC_LOOP(CLAUSES) {
    Bucket &bucket = bucketsOf[keyOf(i) % 64];
    const int32_t at = bucket.count;
    if (at < 7) {
      bucket.items[at] = int32_t(FAR(keyOf(i))) & 1;
      bucket.count = at + 1;
    }
  }
  int64_t sum = 0;
  for (int64_t k = 0; k < 64; ++k)
    sum = sum * 31 + bucketsOf[k].count;
  return sum;
}

// A list to whose head a node is linked.
struct Item {
  Item *next;
  int64_t key, value;
};
static Item *const items = new Item[Elements];
static Item **const heads = new Item *[Distinct + 1];
PROGRAM(findOrLink) {
  memset(heads, 0, (Distinct + 1) * sizeof *heads);
  memset(items, 0, Elements * sizeof *items);
  ASYNC_LOOP(CLAUSES) {
    const uint32_t key = keyOf(i);
    Item *item = heads[key % 61];
    while (item && item->key != key)
      item = item->next;
    if (!item) {
      item = &items[i];
      item->key = key;
      item->value = FAR(key);
      item->next = heads[key % 61];
      heads[key % 61] = item;
    } else {
      item->value += 7;
    }
  }
  int64_t sum = 0;
  for (int64_t k = 0; k < 61; ++k)
    for (const Item *item = heads[k]; item; item = item->next)
      sum += item->key * item->value;
  return sum;
}

int main() {
  prepare();
  printPrograms();
}
