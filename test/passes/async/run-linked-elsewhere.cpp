// Containers of an iteration that lead to what all share, that others get to,
// or whose memory does, are not its own: updates through them stay whole.
//
// RUN: %same_output

#include "Inputs/appended.h"

#include <atomic>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <utility>
#include <vector>

enum { Cells = 32 };
static int64_t cells[Cells];

/// Calls \p Look with some cells, and what is to be added to each.
template <class Function> void eachOf(int64_t i, Function Look) {
  for (int64_t k = 0, x = keys[i]; k < 4; ++k, x = nodes[x].value)
    Look(x % Cells, nodes[table[x]].value);
}
static int64_t begin() {
  for (int64_t &cell : cells)
    cell = &cell - cells;
  return 0;
}

PROGRAM(mappedPlaces) {
  begin();
  ASYNC_LOOP(CLAUSES) {
    std::map<int64_t, int64_t *> places;
    eachOf(i, [&](int64_t k, int64_t) { places[k] = &cells[k]; });
    eachOf(i, [&](int64_t k, int64_t by) { *places.find(k)->second += by; });
  }
  return sumOf(cells, Cells);
}

PROGRAM(listedPlaces) {
  begin();
  ASYNC_LOOP(CLAUSES) {
    struct Entry {
      Entry *next;
      int64_t *place, by;
    } *first = nullptr;
    eachOf(i,
           [&](int64_t k, int64_t) { first = new Entry{first, &cells[k], k}; });
    for (Entry *entry = first; entry;) {
      *entry->place += nodes[table[entry->by]].value;
      delete std::exchange(entry, entry->next);
    }
  }
  return sumOf(cells, Cells);
}

NOINLINE void note(std::vector<int64_t *> &places, int64_t *place) {
  places.push_back(place);
}

PROGRAM(notedPlaces) {
  begin();
  ASYNC_LOOP(CLAUSES) {
    std::vector<int64_t *> places;
    eachOf(i, [&](int64_t k, int64_t) { note(places, &cells[k]); });
    int64_t n = 0;
    eachOf(i, [&](int64_t, int64_t by) { *places[n++] += by; });
  }
  return sumOf(cells, Cells);
}

/// As a number, by its bytes, and as a distance.
PROGRAM(disguisedPlaces) {
  begin();
  ASYNC_LOOP(CLAUSES) {
    struct Entry {
      Entry *next;
      uintptr_t number;
      unsigned char bytes[sizeof(int64_t *)];
      intptr_t distance;
    } *first = nullptr;
    eachOf(i, [&](int64_t k, int64_t) {
      auto *entry = new Entry{first, uintptr_t(&cells[k]), {}, 0};
      const int64_t *place = &cells[k];
      for (unsigned n = 0; n < sizeof place; ++n)
        entry->bytes[n] = reinterpret_cast<unsigned char *>(&place)[n];
      entry->distance = intptr_t(&cells[k]) - intptr_t(entry);
      first = entry;
    });
    for (Entry *entry = first; entry;) {
      *reinterpret_cast<int64_t *>(entry->number) += nodes[table[i]].value;
      int64_t *place;
      for (unsigned n = 0; n < sizeof place; ++n)
        reinterpret_cast<unsigned char *>(&place)[n] = entry->bytes[n];
      *place += nodes[table[i]].key;
      *reinterpret_cast<int64_t *>(intptr_t(entry) + entry->distance) +=
          nodes[table[keys[i]]].key;
      delete std::exchange(entry, entry->next);
    }
  }
  return sumOf(cells, Cells);
}

PROGRAM(takenAndPutBack) {
  static std::vector<int64_t> rows[Cells];
  for (auto &row : rows)
    row.assign(2, 1);
  ASYNC_LOOP(CLAUSES) {
    eachOf(i, [&](int64_t k, int64_t by) {
      std::vector<int64_t> row = std::move(rows[k]);
      row[by & 1] += nodes[table[by]].value;
      rows[k] = std::move(row);
    });
  }
  int64_t sum = 0;
  for (auto &row : rows)
    sum = 31 * sum + sumOf(row);
  return sum;
}

PROGRAM(splicedAndBack) {
  static std::list<int64_t> lists[Cells];
  for (auto &list : lists)
    list = {1, 2};
  ASYNC_LOOP(CLAUSES) {
    eachOf(i, [&](int64_t k, int64_t by) {
      std::list<int64_t> list;
      list.splice(list.begin(), lists[k]);
      for (int64_t &value : list)
        value += nodes[table[by]].value;
      lists[k].splice(lists[k].begin(), list);
    });
  }
  int64_t sum = 0;
  for (auto &list : lists)
    sum = 31 * sum + sumOf(list);
  return sum;
}

PROGRAM(linkedToOthers) {
  static Node *chains[Cells];
  for (Node *&chain : chains)
    while (chain)
      delete std::exchange(chain, chain->next);
  ASYNC_LOOP(CLAUSES) {
    eachOf(i, [&](int64_t k, int64_t by) {
      Node *node = chains[k];
      while (node && node->key != by % 16)
        node = node->next;
      if (!node)
        chains[k] = node = new Node{chains[k], by % 16, 0};
      node->value += nodes[table[by]].value;
    });
  }
  int64_t sum = 0;
  for (Node *chain : chains) {
    int64_t ofChain = 0;
    for (; chain; chain = chain->next)
      ofChain += chain->value * chain->key + 1;
    sum = 31 * sum + ofChain;
  }
  return sum;
}

/// All iterations' containers have one buffer.
template <class T> struct OneBuffer {
  using value_type = T;
  T *allocate(size_t) {
    static char buffer[1 << 12];
    return reinterpret_cast<T *>(buffer);
  }
  void deallocate(T *, size_t) {}
  bool operator==(const OneBuffer &) const = default;
};

PROGRAM(oneBuffer) {
  ASYNC_LOOP(CLAUSES) {
    std::vector<int64_t, OneBuffer<int64_t>> found;
    found.reserve(4);
    eachOf(i, [&](int64_t, int64_t by) { found.push_back(by); });
    out[i] = 0;
    for (int64_t x : found)
      out[i] = 3 * out[i] + nodes[table[x]].value;
  }
  return sumOf(out, n);
}

/// Values that iterations keep in memory of their own while they update cells.
NOINLINE void keep(std::list<int64_t> &list, int64_t value) {
  list.push_back(value);
}
NOINLINE int64_t kept(const std::list<int64_t> &list) { return list.back(); }

PROGRAM(keptValues) {
  begin();
  ASYNC_LOOP(CLAUSES) {
    eachOf(i, [&](int64_t k, int64_t by) {
      std::list<int64_t> list;
      keep(list, cells[k]);
      const int64_t more = nodes[table[by]].value;
      cells[k] = kept(list) + more;
    });
  }
  return sumOf(cells, Cells);
}

PROGRAM(keptInMaps) {
  begin();
  ASYNC_LOOP(CLAUSES) {
    std::map<int64_t, int64_t> map;
    eachOf(i, [&](int64_t k, int64_t by) {
      map[k] = cells[k];
      const int64_t more = nodes[table[by]].value;
      cells[k] = map[k] + more;
    });
  }
  return sumOf(cells, Cells);
}

PROGRAM(sharedPointers) {
  static std::vector<std::shared_ptr<int64_t>> places(Cells);
  for (auto &place : places)
    place = std::make_shared<int64_t>(0);
  ASYNC_LOOP(CLAUSES) {
    std::list<std::shared_ptr<int64_t>> found;
    eachOf(i, [&](int64_t k, int64_t) { found.push_back(places[k]); });
    for (auto &place : found)
      *place += nodes[table[keys[i]]].value;
  }
  int64_t sum = 0;
  for (auto &place : places)
    sum = 31 * sum + *place + place.use_count();
  return sum;
}

PROGRAM(functions) {
  begin();
  ASYNC_LOOP(CLAUSES) {
    std::list<std::function<void(int64_t)>> found;
    eachOf(i, [&](int64_t k, int64_t) {
      found.push_back([cell = &cells[k]](int64_t by) { *cell += by; });
    });
    for (auto &add : found)
      add(nodes[table[keys[i]]].value);
  }
  return sumOf(cells, Cells);
}

/// A pair of places, and the one that is next.
struct Ring {
  int64_t *places[2];
  std::atomic<int64_t **> next;
};
NOINLINE static void advance(Ring *ring) { ring->next.fetch_add(1); }

// The second place is not the iteration's own.
PROGRAM(advancedAtomically) {
  begin();
  ASYNC_LOOP(CLAUSES) {
    auto *own = new int64_t(0);
    auto *ring = new Ring{{own, &cells[keys[i] % Cells]}, {}};
    ring->next = ring->places;
    advance(ring);
    int64_t *place = *ring->next.load();
    const int64_t before = *place;
    *place = before + 1 + nodes[table[(keys[i] + before) % Elements]].value % 2;
    delete ring;
    delete own;
  }
  return sumOf(cells, Cells);
}

/// Leads on by the distance to another one.
struct Relative {
  int64_t distance, *place;
};
NOINLINE static void link(Relative *from, Relative *to) {
  from->distance =
      reinterpret_cast<intptr_t>(to) - reinterpret_cast<intptr_t>(from);
}

// The function links both ways, so that distances are between either two.
PROGRAM(linkedByDistance) {
  begin();
  ASYNC_LOOP(CLAUSES) {
    auto *own = new int64_t(1);
    auto *first = new Relative{0, own};
    auto *second = new Relative{0, &cells[keys[i] % Cells]};
    link(first, second);
    link(second, first);
    auto *found = reinterpret_cast<Relative *>(
        reinterpret_cast<intptr_t>(first) + first->distance);
    const int64_t before = *found->place;
    *found->place =
        before + 1 + nodes[table[(keys[i] + before) % Elements]].value % 2;
    delete first;
    delete second;
    delete own;
  }
  return sumOf(cells, Cells);
}

int main() {
  prepare();
  printPrograms();
}
