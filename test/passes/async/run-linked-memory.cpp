// Nodes that an iteration allocates and links to each other are its own, with
// the container that leads to them, also where functions of the library link
// them.
//
// RUN: %same_output | FileCheck %s
// CHECK-COUNT-10: remark: interleaved the loop's iterations
// CHECK-NOT: split a read-modify-write

#include "Inputs/appended.h"

#include <deque>
#include <forward_list>
#include <list>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

/// Calls \p Look with some elements of the table.
template <class Function> void eachOf(int64_t i, Function Look) {
  for (int64_t k = 0, x = keys[i]; k < 8; ++k, x = nodes[x].value % Elements)
    Look(table[x], k);
}

PROGRAM(hashMap) {
  ASYNC_LOOP(CLAUSES) {
    std::unordered_map<int64_t, int64_t> found;
    eachOf(i, [&](int64_t x, int64_t k) { found[x] += k; });
    out[i] = 0;
    for (auto &[x, sum] : found)
      out[i] += table[x] * sum;
  }
  return sumOf(out, n);
}

PROGRAM(hashSet) {
  ASYNC_LOOP(CLAUSES) {
    std::unordered_set<int64_t> found;
    eachOf(i, [&](int64_t x, int64_t) { found.insert(x); });
    out[i] = found.size();
    for (int64_t x : found)
      out[i] += table[x];
  }
  return sumOf(out, n);
}

PROGRAM(treeMap) {
  ASYNC_LOOP(CLAUSES) {
    std::map<int64_t, int64_t> found;
    eachOf(i, [&](int64_t x, int64_t k) { found[x] += k; });
    out[i] = 0;
    for (auto &[x, sum] : found)
      out[i] = 3 * out[i] + table[x] * sum;
  }
  return sumOf(out, n);
}

PROGRAM(treeSet) {
  ASYNC_LOOP(CLAUSES) {
    std::multiset<int64_t> found;
    eachOf(i, [&](int64_t x, int64_t) { found.insert(x); });
    out[i] = 0;
    while (!found.empty()) {
      out[i] = 3 * out[i] + table[*found.begin()];
      found.erase(found.begin());
    }
  }
  return sumOf(out, n);
}

PROGRAM(doublyLinked) {
  ASYNC_LOOP(CLAUSES) {
    std::list<int64_t> found;
    eachOf(i, [&](int64_t x, int64_t k) {
      k & 1 ? found.push_front(x) : found.push_back(x);
    });
    found.reverse();
    out[i] = 0;
    for (int64_t x : found)
      out[i] = 3 * out[i] + table[x];
  }
  return sumOf(out, n);
}

PROGRAM(singlyLinked) {
  ASYNC_LOOP(CLAUSES) {
    std::forward_list<int64_t> found;
    eachOf(i, [&](int64_t x, int64_t) { found.push_front(x); });
    out[i] = 0;
    for (int64_t x : found)
      out[i] = 3 * out[i] + table[x];
  }
  return sumOf(out, n);
}

PROGRAM(chunks) {
  ASYNC_LOOP(CLAUSES) {
    std::deque<int64_t> found;
    eachOf(i, [&](int64_t x, int64_t) { found.push_back(x); });
    out[i] = 0;
    for (; !found.empty(); found.pop_front())
      out[i] = 3 * out[i] + table[found.front()];
  }
  return sumOf(out, n);
}

PROGRAM(rows) {
  ASYNC_LOOP(CLAUSES) {
    std::vector<std::vector<int64_t>> found(3);
    eachOf(i, [&](int64_t x, int64_t k) { found[k % 3].push_back(x); });
    out[i] = 0;
    for (auto &row : found)
      for (int64_t x : row)
        out[i] = 3 * out[i] + table[x];
  }
  return sumOf(out, n);
}

/// A table with chains, as programs have of their own.
PROGRAM(ownTable) {
  ASYNC_LOOP(CLAUSES) {
    struct Entry {
      int64_t key, sum;
      Entry *next;
    } *chains[4] = {};
    eachOf(i, [&](int64_t x, int64_t k) {
      Entry *&chain = chains[x % 4], *entry = chain;
      while (entry && entry->key != x)
        entry = entry->next;
      if (!entry)
        chain = entry = new Entry{x, 0, chain};
      entry->sum += k;
    });
    out[i] = 0;
    for (Entry *entry : chains)
      while (entry) {
        out[i] = 3 * out[i] + table[entry->key] * entry->sum;
        Entry *next = entry->next;
        delete entry;
        entry = next;
      }
  }
  return sumOf(out, n);
}

/// Nodes in an array that moves, and is linked by numbers.
PROGRAM(arena) {
  ASYNC_LOOP(CLAUSES) {
    struct Entry {
      int64_t key;
      int next;
    };
    std::vector<Entry> entries;
    int first = -1;
    eachOf(i, [&](int64_t x, int64_t) {
      entries.push_back({x, first});
      first = int(entries.size()) - 1;
    });
    out[i] = 0;
    for (int at = first; at >= 0; at = entries[at].next)
      out[i] = 3 * out[i] + table[entries[at].key];
  }
  return sumOf(out, n);
}

int main() {
  prepare();
  printPrograms();
}
