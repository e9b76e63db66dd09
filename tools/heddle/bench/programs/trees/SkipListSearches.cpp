//===- SkipListSearches.cpp - Look-ups in a skip list ---------------------===//

#include "../ByHand.h"
#include "../Program.h"

#include <bit>
#include <vector>

namespace heddle::bench {

namespace {

constexpr int Levels = 20;

struct Node {
  std::uint64_t key;
  std::uint64_t value;
  Node *next[1]; ///< as many as the node has levels
};

/// Nodes of different lengths, in words.
class SkipList {
public:
  /// Takes the keys 2 * i + 1.
  explicit SkipList(std::int64_t count) {
    std::vector<std::size_t> place(count + 1);
    std::size_t words = 2 + Levels;
    const Permutation order(count);
    for (std::int64_t i = 0; i < count; ++i) {
      place[order(i)] = words;
      words += 2 + levelsOf(order(i));
    }
    memory.resize(words);
    Node *last[Levels];
    std::fill(last, last + Levels, reinterpret_cast<Node *>(memory.data()));
    head = last[0];
    for (std::int64_t i = 0; i < count; ++i) {
      Node *node = reinterpret_cast<Node *>(&memory[place[i]]);
      node->key = 2 * i + 1;
      node->value = scramble(i);
      for (int level = 0; level < levelsOf(i); ++level) {
        last[level]->next[level] = node;
        last[level] = node;
      }
    }
  }

  const Node *find(std::uint64_t key) const {
    const Node *node = head;
    for (int level = Levels - 1; level >= 0; --level)
      while (node->next[level] && node->next[level]->key < key)
        node = node->next[level];
    node = node->next[0];
    return node && node->key == key ? node : nullptr;
  }

  const Node *head;

private:
  static int levelsOf(std::int64_t index) {
    return 1 + std::min(std::countr_zero(scramble(index ^ 55)), Levels - 1);
  }

  std::vector<std::uint64_t> memory;
};

class SkipListSearches {
public:
  explicit SkipListSearches(Scale scale)
      : size(scale.of(1 << 20)), list(size), queries(scale.of(150000)) {
    for (std::size_t i = 0; i < queries.size(); ++i)
      queries[i] = randomBelow(1, i, 2 * size);
  }

  std::uint64_t run() {
    std::uint64_t sum = 0;
#pragma heddle async
    for (const std::uint64_t query : queries)
      if (const Node *node = list.find(query))
        sum += node->value;
    return sum;
  }

  std::uint64_t runByHand() {
    struct Search {
      const Node *node, *next;
      std::uint64_t key;
      int level;
    };
    std::uint64_t sum = 0;
    std::size_t index = 0;
    interleave<Search>(
        [&](Search &state) {
          if (index == queries.size())
            return false;
          state = {list.head, list.head->next[Levels - 1], queries[index++],
                   Levels - 1};
          return true;
        },
        [&](Search &state) {
          // The line of a node that has just been compared is there.
          if (state.next && state.next->key < state.key) {
            state.node = state.next;
          } else if (state.level > 0) {
            --state.level;
            // The same node again, one level below, needs no request.
            while (state.level > 0 &&
                   state.node->next[state.level] == state.next)
              --state.level;
          } else {
            if (state.next && state.next->key == state.key)
              sum += state.next->value;
            return false;
          }
          state.next = state.node->next[state.level];
          prefetch(state.next);
          return true;
        });
    return sum;
  }

private:
  std::int64_t size;
  SkipList list;
  std::vector<std::uint64_t> queries;
};

} // namespace

} // namespace heddle::bench

HEDDLE_BENCH_PROGRAM(SkipListSearches, "skip-list", "look-ups in a skip list")
