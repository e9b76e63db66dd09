// Functions of another file link elements: of std::list, of a list of its own,
// of a table that grows. From the access that decides on it to the call, no
// other iteration runs. Where arrays begin, and how long they are, such a
// function leaves as it is unless it could know.
//
// RUN: %plain_clangxx -O1 -c -DOTHER_FILE %s -o %t.other.o
// RUN: %same_output %t.other.o | FileCheck %s
// CHECK-COUNT-12: remark: interleaved the loop's iterations

#include "../Inputs/appended.h"

#include <algorithm>
#include <list>
#include <utility>
#include <vector>

struct Entry {
  Entry *next;
  int64_t key, count;
};
/// Open addressing; 0 is free.
struct Table {
  std::vector<int64_t> keys, counts;
  size_t used = 0;
  size_t find(int64_t key) const {
    size_t slot = scramble(key) % keys.size();
    while (keys[slot] && keys[slot] != key)
      slot = slot + 1 == keys.size() ? 0 : slot + 1;
    return slot;
  }
};
struct Handle {
  Table *table;
};

Entry *made(int64_t key);
void linkFirst(Entry **head, Entry *entry);
void linkLast(Entry **head, Entry *entry);
void linkBehind(Entry *entry, Entry *other);
void moveToFront(Entry **head, Entry *entry);
int64_t hashOf(int64_t key);
int64_t hashAt(const int64_t *key);
void add(Table &table, int64_t key);
void addTo(const Handle &handle, int64_t key);
void setCurrent(Table *table);
void addToCurrent(int64_t key);

#ifdef OTHER_FILE
Entry *made(int64_t key) { return new Entry{nullptr, key, 0}; }
void linkFirst(Entry **head, Entry *entry) {
  entry->next = *head;
  *head = entry;
}
void linkLast(Entry **head, Entry *entry) {
  while (*head)
    head = &(*head)->next;
  *head = entry;
}
void linkBehind(Entry *entry, Entry *other) {
  other->next = entry->next;
  entry->next = other;
}
void moveToFront(Entry **head, Entry *entry) {
  Entry **at = head;
  while (*at != entry)
    at = &(*at)->next;
  *at = entry->next;
  linkFirst(head, entry);
}
int64_t hashOf(int64_t key) { return scramble(key) >> 1; }
int64_t hashAt(const int64_t *key) { return hashOf(*key); }
void add(Table &table, int64_t key) {
  if (2 * ++table.used > table.keys.size()) {
    const Table old = std::move(table);
    table.keys.assign(2 * old.keys.size(), 0);
    table.counts.assign(2 * old.keys.size(), 0);
    table.used = old.used;
    for (size_t slot = 0; slot < old.keys.size(); ++slot)
      if (old.keys[slot]) {
        table.keys[table.find(old.keys[slot])] = old.keys[slot];
        table.counts[table.find(old.keys[slot])] = old.counts[slot];
      }
  }
  const size_t slot = table.find(key);
  table.keys[slot] = key;
  table.counts[slot] = 1;
}
void addTo(const Handle &handle, int64_t key) { add(*handle.table, key); }
static Table *current;
void setCurrent(Table *table) { current = table; }
void addToCurrent(int64_t key) { add(*current, key); }
#else

/// Few different keys, so that iterations nearby have the same one.
static int64_t keyOf(int64_t i) { return keys[i] % 199 + 1; }

using Lists = std::vector<std::list<Entry>>;

static int64_t sumOfLists(const Lists &lists) {
  int64_t sum = 0;
  for (const auto &list : lists)
    for (const Entry &entry : list)
      sum += entry.key * 31 + entry.count + 1;
  return sum;
}

#define LISTS(name, ...)                                                       \
  NOINLINE static void name##In(Lists &lists, const std::vector<int64_t> &of)  \
      __VA_ARGS__ PROGRAM(name) {                                              \
    Lists lists(37);                                                           \
    std::vector<int64_t> of(keys, keys + n);                                   \
    for (int64_t &key : of)                                                    \
      key = key % 199 + 1;                                                     \
    name##In(lists, of);                                                       \
    return sumOfLists(lists);                                                  \
  }
#define EACH_KEY_WITH(...)                                                     \
  HEDDLE_PRAGMA(heddle async __VA_ARGS__)                                      \
  for (size_t i = 0; i < of.size(); ++i)
#define EACH_KEY EACH_KEY_WITH(CLAUSES)

#define BUCKET auto &list = lists[scramble(of[i]) % lists.size()]

LISTS(foundOrAppended, {
  EACH_KEY {
    BUCKET;
    Entry *found = nullptr;
    for (Entry &entry : list)
      if (entry.key == of[i]) {
  found = &entry;
  break;
      }
    if (!found)
      found = &list.emplace_back(Entry{nullptr, of[i], 0});
    found->count++;
}
})
LISTS(foundOrPushed, {
  EACH_KEY {
    BUCKET;
    if (std::none_of(list.begin(), list.end(),
                     [&](const Entry &entry) {
  return entry.key == of[i]; }))
      list.push_front({nullptr, of[i], 0});
}
})
LISTS(inserted, {
  EACH_KEY {
    BUCKET;
    auto at = list.begin();
    while (at != list.end() && at->key < of[i])
      ++at;
    if (at == list.end() || at->key != of[i])
      at = list.insert(at, {nullptr, of[i], 0});
    at->count += table[of[i]];
}
})
LISTS(putInFront, {
  EACH_KEY {
    BUCKET;
    for (auto at = list.begin();; ++at) {
  if (at == list.end()) {
    list.push_front({nullptr, of[i], 0});
    break;
  }
  if (at->key == of[i]) {
    at->count++;
    list.splice(list.begin(), list, at);
    break;
  }
    }
}
})
LISTS(toggled, {
  EACH_KEY {
    BUCKET;
    auto at = list.begin();
    while (at != list.end() && at->key != of[i])
      ++at;
    if (at == list.end())
      list.push_back({nullptr, of[i], 0});
    else
      list.erase(at);
}
})

/// Runs \p Loop for \p n keys with the heads of lists, and adds up the lists.
template <class Function> int64_t withHeads(int64_t n, Function Loop) {
  std::vector<Entry *> heads(37);
  Loop(heads, n);
  int64_t sum = 0;
  for (Entry *entry : heads)
    while (entry) {
      sum += entry->key * 31 + entry->count + 1;
      delete std::exchange(entry, entry->next);
    }
  return sum;
}

#define HEADS(name, ...)                                                       \
  NOINLINE static void name##In(std::vector<Entry *> &heads, int64_t n)        \
      __VA_ARGS__ PROGRAM(name) {                                              \
    return withHeads(n, name##In);                                             \
  }
#define FIND                                                                   \
  const int64_t key = keyOf(i);                                                \
  Entry **head = &heads[scramble(key) % heads.size()], *entry = *head;         \
  while (entry && entry->key != key)                                           \
  entry = entry->next

HEADS(linked, {
  ASYNC_LOOP(CLAUSES) {
    FIND;
    if (!entry)
      linkFirst(head, entry = new Entry{nullptr, key, 0});
    entry->count++;
}
})
HEADS(linkedAtEnd, {
  ASYNC_LOOP(CLAUSES) {
    FIND;
    if (!entry)
      linkLast(&heads[scramble(key) % heads.size()],
               entry = new Entry{nullptr, key, 0});
    entry->count += table[key];
}
})
HEADS(madeAndLinked, {
  ASYNC_LOOP(CLAUSES) {
    FIND;
    if (!entry)
      linkFirst(head, entry = made(key));
    entry->count++;
}
})
HEADS(linkedBehind, {
  ASYNC_LOOP(CLAUSES) {
    const int64_t key = keyOf(i);
    Entry *&head = heads[scramble(key) % heads.size()];
    Entry *entry = head, *last = nullptr;
    while (entry && entry->key != key)
      entry = (last = entry)->next;
    if (entry) {
  entry->count++;
    } else {
  entry = new Entry{nullptr, key, 1};
  if (last)
    linkBehind(last, entry);
  else
    head = entry;
    }
}
})
HEADS(moved, {
  ASYNC_LOOP(CLAUSES) {
    FIND;
    if (!entry)
      linkFirst(head, entry = new Entry{nullptr, key, 0});
    else if (entry != *head)
      moveToFront(head, entry);
    entry->count++;
}
})

#define TABLE(name, ...)                                                       \
  NOINLINE static void name##In(Table &t, int64_t n)                           \
      __VA_ARGS__ PROGRAM(name) {                                              \
    Table t{std::vector<int64_t>(16), std::vector<int64_t>(16)};               \
    name##In(t, n);                                                            \
    return sumOf(t.keys.data(), t.keys.size()) * 31 +                          \
           sumOf(t.counts.data(), t.counts.size()) * 7 + t.used;               \
  }
#define ADD_OR_COUNT(Add)                                                      \
  {                                                                            \
    setCurrent(&t);                                                            \
    const Handle handle{&t};                                                   \
    (void)handle;                                                              \
    ASYNC_LOOP(CLAUSES) {                                                      \
      const int64_t key = keyOf(i);                                            \
      const size_t slot = t.find(key);                                         \
      if (t.keys[slot])                                                        \
        t.counts[slot]++;                                                      \
      else                                                                     \
        Add;                                                                   \
    }                                                                          \
  }
TABLE(grown, ADD_OR_COUNT(add(t, key)))
TABLE(grownByHandle, ADD_OR_COUNT(addTo(handle, key)))
TABLE(grownUnseen, ADD_OR_COUNT(addToCurrent(key)))

NOINLINE static void lookUp(const Table &t, int64_t n) {
  ASYNC_LOOP(CLAUSES)
    out[i] =
        t.counts[t.keys[hashOf(keys[i]) % t.keys.size()] % t.counts.size()];
}
NOINLINE static void lookUpAt(const Table &t, int64_t n) {
  ASYNC_LOOP(CLAUSES)
    out[i] = t.counts[t.keys[hashAt(&keys[i]) % t.keys.size()]];
}
template <class Function> int64_t lookedUp(int64_t n, Function Loop) {
  const Table t{{table, table + Elements}, {keys, keys + Elements}};
  Loop(t, n);
  return sumOf(out, n);
}
PROGRAM(hashed) { return lookedUp(n, lookUp); }
PROGRAM(hashedAt) { return lookedUp(n, lookUpAt); }

int main() {
  prepare();
  printPrograms();
}
#endif
