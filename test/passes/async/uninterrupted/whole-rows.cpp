// Updates of elements whose fields lie in several places: in rows of one array,
// in several arrays whose indices are computed from one value, in what a slot
// links to, and in an element that a callee has claimed.
//
// RUN: %same_output -fno-exceptions | FileCheck %s
// CHECK-COUNT-13: remark: {{interleaved|requested ahead what}} the loop
// CHECK-COUNT-2: remark: interleaved the loop's iterations {{.*}}: {{[4-9]}} suspension points
// CHECK-NOT: remark: loop not

#include "../Inputs/program.h"

#include <atomic>
#include <string.h>

enum { Slots = 8192, Distinct = 500, Rows = 512 };

#define FAR(x) table[table[table[table[(x) % Elements]]]]

/// Few keys, so that iterations in flight meet at one.
static uint32_t keyOf(int64_t i) {
  return uint32_t(table[table[keys[i]]]) % Distinct + 1;
}

template <class T> static uint64_t hash(const T *data, size_t count) {
  const auto *bytes = reinterpret_cast<const unsigned char *>(data);
  uint64_t sum = 0;
  for (size_t i = 0; i < count * sizeof(T); ++i)
    sum = sum * 31 + bytes[i];
  return sum;
}

static uint32_t owners[Slots], values[Slots], uses[Slots];
static void clear() {
  memset(owners, 0, sizeof owners);
  memset(values, 0, sizeof values);
  memset(uses, 0, sizeof uses);
}
static int64_t contents() {
  return int64_t(hash(owners, Slots) ^ hash(values, Slots) * 3 ^
                 hash(uses, Slots) * 7);
}

/// A loop that claims an element if `isFree`, and changes it otherwise.
#define UPDATE(name, isFree, claim, change)                                    \
  PROGRAM(name) {                                                              \
    clear();                                                                   \
    ASYNC_LOOP(CLAUSES) {                                                      \
      const uint32_t key = keyOf(i);                                           \
      if (isFree) {                                                            \
        claim;                                                                 \
      } else {                                                                 \
        change;                                                                \
      }                                                                        \
    }                                                                          \
    return contents();                                                         \
  }

// The place is found in another block of code.
PROGRAM(threeArrays) {
  clear();
  ASYNC_LOOP(CLAUSES) {
    const uint32_t key = keyOf(i);
    uint32_t at = key * 8 % Slots;
    while (owners[at] && owners[at] != key)
      at = (at + 1) % Slots;
    if (!owners[at]) {
      owners[at] = key;
      values[at] = uint32_t(FAR(key));
      uses[at] = 1;
    } else {
      values[at] += 3;
      ++uses[at];
    }
  }
  return contents();
}

// Rows of a table without a type for them.
UPDATE(fourColumns, values[key * 4] == 0, values[key * 4] = key;
       values[key * 4 + 3] = uint32_t(FAR(key)), values[key * 4 + 3] += 5)

static uint32_t width = 3;
PROGRAM(widthAtRunTime) {
  clear();
  const uint32_t columns = width;
  ASYNC_LOOP(CLAUSES) {
    const uint32_t key = keyOf(i);
    if (values[key * columns] == 0) {
      values[key * columns] = key;
      values[key * columns + 1] = uint32_t(FAR(key));
    } else {
      values[key * columns + 1] += 5;
    }
  }
  return contents();
}

// Column after column.
UPDATE(columnAfterColumn, values[key] == 0, values[key] = key;
       values[width * Rows + key] = uint32_t(FAR(key)),
       values[width * Rows + key] += 5)

// A bit says that an element is in use.
UPDATE(bits, !(owners[key / 32] >> key % 32 & 1),
       owners[key / 32] |= 1u << key % 32;
       values[key] = uint32_t(FAR(key)), values[key] += 5)

// A byte in a group of eight, which are looked at together.
static unsigned char control[Rows * 2];
PROGRAM(groups) {
  clear();
  memset(control, 0, sizeof control);
  ASYNC_LOOP(CLAUSES) {
    const uint32_t key = keyOf(i);
    for (uint32_t group = key % 128;; group = (group + 1) % 128) {
      uint64_t bytes;
      memcpy(&bytes, &control[group * 8], 8);
      uint32_t found = 8, empty = 8;
      for (uint32_t at = 8; at-- > 0;) {
        const uint32_t byte = bytes >> 8 * at & 255;
        if (byte == key % 128 + 1 && owners[group * 8 + at] == key)
          found = at;
        if (byte == 0)
          empty = at;
      }
      if (found < 8) {
        values[group * 8 + found] += 5;
        break;
      }
      if (empty < 8) {
        control[group * 8 + empty] = (unsigned char)(key % 128 + 1);
        owners[group * 8 + empty] = key;
        values[group * 8 + empty] = uint32_t(FAR(key));
        break;
      }
    }
  }
  int64_t sum = 0;
  for (int64_t at = 0; at < Rows * 2; ++at)
    sum += int64_t(owners[at]) * values[at];
  return sum;
}

// A record that is filled in by a copy.
struct Record {
  char name[28];
  uint32_t value;
};
static Record records[Rows];
PROGRAM(copiedName) {
  memset(records, 0, sizeof records);
  ASYNC_LOOP(CLAUSES) {
    const uint32_t key = keyOf(i);
    if (records[key].name[0] == 0) {
      memset(records[key].name, 'x', sizeof records[key].name);
      records[key].value = uint32_t(FAR(key));
    } else {
      records[key].value += 3;
    }
  }
  return int64_t(hash(records, Rows));
}

// An index of elements, which are filled in later.
static int32_t places[Rows];
static struct Dense {
  uint32_t key, value;
} dense[Elements];
static int64_t denseSum() {
  int64_t sum = 0;
  for (const Dense &each : dense)
    sum += int64_t(each.key) * each.value;
  return sum;
}
PROGRAM(indexThenElement) {
  memset(places, 0xff, sizeof places);
  memset(dense, 0, sizeof dense);
  ASYNC_LOOP(CLAUSES) {
    const uint32_t key = keyOf(i);
    int32_t at = places[key];
    if (at < 0) {
      places[key] = at = int32_t(i);
      dense[at].key = key;
      dense[at].value = uint32_t(FAR(key));
    } else {
      dense[at].value += 5;
    }
  }
  return denseSum();
}

static Dense *linked[Rows];
PROGRAM(linkThenElement) {
  memset(linked, 0, sizeof linked);
  memset(dense, 0, sizeof dense);
  ASYNC_LOOP(CLAUSES) {
    const uint32_t key = keyOf(i);
    Dense *element = linked[key];
    if (!element) {
      linked[key] = element = &dense[i];
      element->key = key;
      element->value = uint32_t(FAR(key));
    } else {
      element->value += 5;
    }
  }
  return denseSum();
}

// A list at whose end a node is linked before it is filled in.
static Node *ends[64];
static Node pool[Elements];
PROGRAM(endOfChain) {
  memset(ends, 0, sizeof ends);
  memset(pool, 0, sizeof pool);
  ASYNC_LOOP(CLAUSES) {
    const uint32_t key = keyOf(i);
    Node **link = &ends[key % 64];
    while (*link && (*link)->key != key)
      link = &(*link)->next;
    if (!*link) {
      *link = &pool[i];
      pool[i].key = key;
      pool[i].value = FAR(key);
    } else {
      (*link)->value += 5;
    }
  }
  int64_t sum = 0;
  for (const Node &node : pool)
    sum += node.key * node.value;
  return sum;
}

// Callees that claim an element for the loop to fill in.
NOINLINE static uint32_t claim(uint32_t key, bool *isNew) {
  uint32_t at = key % Rows;
  while (owners[at] && owners[at] != key)
    at = (at + 1) % Rows;
  *isNew = !owners[at];
  owners[at] = key;
  return at;
}
PROGRAM(claimedByCallee) {
  clear();
  ASYNC_LOOP(CLAUSES) {
    const uint32_t key = keyOf(i);
    bool isNew;
    const uint32_t at = claim(key, &isNew);
    if (isNew)
      values[at] = uint32_t(FAR(key));
    else
      values[at] += 5;
  }
  return contents();
}

NOINLINE static Dense *find(uint32_t key) {
  Dense *at = &dense[key * 8 % Elements];
  return at->key == key ? at : nullptr;
}
NOINLINE static Dense *make(uint32_t key) {
  Dense *const at = &dense[key * 8 % Elements];
  at->key = key;
  return at;
}
PROGRAM(foundOrMade) {
  memset(dense, 0, sizeof dense);
  ASYNC_LOOP(CLAUSES) {
    const uint32_t key = keyOf(i);
    Dense *element = find(key);
    if (!element) {
      element = make(key);
      element->value = uint32_t(FAR(key));
    } else {
      element->value += 5;
    }
  }
  return denseSum();
}

// The element belongs to who has exchanged its key.
static std::atomic<uint32_t> taken[Rows];
static bool take(uint32_t key) {
  uint32_t none = 0;
  return taken[key].compare_exchange_strong(none, key,
                                            std::memory_order_relaxed);
}
PROGRAM(takenByExchange) {
  clear();
  for (std::atomic<uint32_t> &each : taken)
    each = 0;
  ASYNC_LOOP(CLAUSES) {
    const uint32_t key = keyOf(i);
    if (take(key))
      values[key] = uint32_t(FAR(key));
    else
      values[key] += 5;
  }
  return contents();
}

// Elements of one iteration are suspended in, and so are counters.
PROGRAM(ownElements) {
  clear();
  memset(dense, 0, sizeof dense);
  ASYNC_LOOP(CLAUSES) {
    dense[i].key = uint32_t(FAR(keys[i]));
    dense[i].value = uint32_t(FAR(dense[i].key + 1));
  }
  return denseSum();
}

PROGRAM(counters) {
  clear();
  ASYNC_LOOP(CLAUSES) {
    const uint32_t key = keyOf(i);
    values[key] += 3;
    uses[key] += uint32_t(FAR(FAR(key)));
  }
  return contents();
}

int main() {
  prepare();
  printPrograms();
}
