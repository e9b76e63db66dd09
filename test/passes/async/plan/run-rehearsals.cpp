// Updates that are run in advance, as far as they have no effect, do what they
// do in the serial loop, whatever other iterations do to what is read.
//
// RUN: %same_output | FileCheck %s
// CHECK-COUNT-8: remark: interleaved

#include "../Inputs/program.h"

#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

/// A table that each iteration may double.
struct GrowingTable {
  struct Entry {
    uint64_t key, value;
  };
  std::vector<Entry> entries{8};
  size_t used = 0;

  void grow() {
    std::vector<Entry> old(2 * entries.size());
    old.swap(entries);
    used = 0;
    for (const Entry &entry : old)
      if (entry.key)
        at(entry.key) = entry.value;
  }
  uint64_t &at(uint64_t key) {
    if (2 * used >= entries.size())
      grow();
    const size_t mask = entries.size() - 1;
    size_t place = scramble(key) & mask;
    while (entries[place].key && entries[place].key != key)
      place = (place + 1) & mask;
    if (!entries[place].key) {
      entries[place].key = key;
      ++used;
    }
    return entries[place].value;
  }
};

/// Chains of nodes that are made as keys come.
struct Chained {
  std::vector<Node *> heads{Buckets};

  Node *&headOf(int64_t key) { return heads[scramble(key) % Buckets]; }
  ~Chained() {
    for (Node *node : heads)
      while (node) {
        Node *next = node->next;
        delete node;
        node = next;
      }
  }
  int64_t digest() const {
    int64_t sum = 0;
    for (const Node *node : heads)
      for (; node; node = node->next)
        sum += scramble(node->key * 31 + node->value);
    return sum;
  }
};

PROGRAM(totals) {
  std::unordered_map<int64_t, int64_t> totals;
  ASYNC_LOOP(CLAUSES) {
    totals[table[keys[i]] % 700] += i;
  }
  int64_t sum = totals.size();
  for (auto [key, total] : totals)
    sum = sum * 31 + scramble(key) * total;
  return sum;
}

PROGRAM(insertedAndErased) {
  std::unordered_set<int64_t> seen;
  ASYNC_LOOP(CLAUSES) {
    const int64_t key = table[keys[i]] % 700;
    const auto found = seen.find(key);
    if (found == seen.end())
      seen.insert(key);
    else
      seen.erase(found);
  }
  int64_t sum = 0;
  for (int64_t key : seen)
    sum = sum * 31 + key;
  return sum;
}

PROGRAM(wordCounts) {
  std::unordered_map<std::string, int64_t> counts;
  std::vector<std::string> words;
  for (int64_t i = 0; i < n; ++i)
    words.push_back("a word that is not short " +
                    std::to_string(table[keys[i]] % 300));
  ASYNC_LOOP(CLAUSES) {
    counts[words[i]] += i;
  }
  int64_t sum = 0;
  for (const auto &[word, total] : counts)
    sum = sum * 31 + word.size() * total;
  return sum;
}

PROGRAM(owned) {
  std::unordered_map<int64_t, std::unique_ptr<Node>> map;
  ASYNC_LOOP(CLAUSES) {
    std::unique_ptr<Node> &node = map[table[keys[i]] % 500];
    if (!node)
      node = std::make_unique<Node>(Node{nullptr, i, 0});
    node->value += i;
  }
  int64_t sum = 0;
  for (const auto &[key, node] : map)
    sum = sum * 31 + key * node->value + node->key;
  return sum;
}

PROGRAM(growing) {
  GrowingTable grown;
  ASYNC_LOOP(CLAUSES) {
    grown.at(table[keys[i]] + 1) += i;
  }
  int64_t sum = grown.used;
  for (const auto &entry : grown.entries)
    sum += scramble(entry.key * entry.value);
  return sum;
}

PROGRAM(madeOnMiss) {
  Chained chains;
  ASYNC_LOOP(CLAUSES) {
    const int64_t key = table[keys[i]] % 900;
    Node *&head = chains.headOf(key);
    Node *node = head;
    while (node && node->key != key)
      node = node->next;
    if (!node)
      head = node = new Node{head, key, 0};
    node->value += i;
  }
  return chains.digest();
}

PROGRAM(deletedOnHit) {
  Chained chains;
  ASYNC_LOOP(CLAUSES) {
    const int64_t key = table[keys[i]] % 900;
    Node **place = &chains.headOf(key);
    while (*place && (*place)->key != key)
      place = &(*place)->next;
    if (Node *node = *place) {
      *place = node->next;
      delete node;
    } else {
      *place = new Node{nullptr, key, 1};
    }
  }
  return chains.digest();
}

PROGRAM(sortedChains) {
  Chained chains;
  ASYNC_LOOP(CLAUSES) {
    const int64_t key = table[keys[i]] % 3000;
    Node **place = &chains.headOf(key % 7);
    while (*place && (*place)->key < key)
      place = &(*place)->next;
    if (*place && (*place)->key == key)
      ++(*place)->value;
    else
      *place = new Node{*place, key, 1};
  }
  return chains.digest();
}

PROGRAM(severalInEach) {
  Chained chains;
  ASYNC_LOOP(CLAUSES) {
    for (int64_t k = 0; k < 3; ++k) {
      const int64_t key = table[(keys[i] + k) % Elements] % 900;
      Node *&head = chains.headOf(key);
      Node *node = head;
      while (node && node->key != key)
        node = node->next;
      if (!node)
        head = node = new Node{head, key, 0};
      node->value += i * k;
    }
  }
  return chains.digest();
}

// The output is in iteration order. Every match is behind a chain.
PROGRAM(joined) {
  std::vector<int64_t> out;
  ASYNC_LOOP(CLAUSES) {
    for (Node *node = buckets[scramble(keys[i]) % Buckets]; node;
         node = node->next)
      if ((node->key ^ keys[i]) % 3)
        out.push_back(node->value);
  }
  int64_t sum = out.size();
  for (int64_t value : out)
    sum = sum * 31 + value;
  return sum;
}

// What an iteration takes from the stack, an earlier one has put there: before,
// there is nothing, and what is below is not to be read.
PROGRAM(stack) {
  std::vector<Node *> open;
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    if (i % 2 == 0) {
      open.push_back(&nodes[table[keys[i]]]);
    } else {
      sum = sum * 31 + open.back()->value;
      open.pop_back();
    }
  }
  return sum;
}

PROGRAM(list) {
  Node *first = nullptr;
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    if (i % 2 == 0) {
      first = new Node{first, table[keys[i]], i};
    } else {
      Node *node = first;
      first = node->next;
      sum = sum * 31 + node->key;
      delete node;
    }
  }
  while (first) {
    Node *next = first->next;
    delete first;
    first = next;
  }
  return sum;
}

// A divisor that is zero before the first iteration.
PROGRAM(divided) {
  struct {
    uint64_t size;
    std::vector<int64_t> values;
  } open{0, {}};
  auto *volatile hidden = &open;
  auto &shared = *hidden;
  ASYNC_LOOP(CLAUSES) {
    if (i == 0)
      shared.values.resize(64);
    shared.size = shared.values.size();
    shared.values[scramble(table[keys[i]]) % shared.size] += i;
  }
  int64_t sum = 0;
  for (int64_t value : shared.values)
    sum = sum * 31 + value;
  return sum;
}

int main() {
  prepare();
  printPrograms();
}
