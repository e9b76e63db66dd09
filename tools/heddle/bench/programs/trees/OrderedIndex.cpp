//===- OrderedIndex.cpp - A B-tree behind a class -------------------------===//
//
// Look-ups through the small interface of a container, whose nodes and descent
// are private.
//
//===----------------------------------------------------------------------===//

#include "../ByHand.h"
#include "../Program.h"

#include <optional>
#include <vector>

namespace heddle::bench {

namespace {

class BTree {
public:
  using Key = std::uint64_t;
  using Value = std::uint64_t;

  /// Takes as many keys in order, and their values.
  template <typename KeyOf> BTree(std::int64_t count, KeyOf keyOf) {
    // Full nodes: each level is every (Fanout + 1)-th key of what is left.
    leaves.resize((count + Fanout) / (Fanout + 1));
    const Permutation place(leaves.size());
    std::vector<Node *> level;
    std::vector<Key> separators;
    for (std::int64_t i = 0; i < count;) {
      Node *leaf = &leaves[place(level.size())];
      leaf->isLeaf = true;
      for (; i < count && leaf->count < Fanout; ++i)
        leaf->add(keyOf(i));
      level.push_back(leaf);
      if (i < count)
        separators.push_back(keyOf(i++));
    }
    while (level.size() > 1)
      level = levelAbove(level, separators);
    root = level.front();
  }

  std::optional<Value> find(Key key) const {
    const Node *node = root;
    while (true) {
      const int position = positionOf(*node, key);
      if (position < node->count && node->keys[position] == key)
        return node->values[position];
      if (node->isLeaf)
        return std::nullopt;
      node = node->children[position];
    }
  }

  /// What the version by hand needs to know.
  static constexpr int Fanout = 15;
  struct Node {
    std::int16_t count = 0;
    bool isLeaf = false;
    Key keys[Fanout];
    Value values[Fanout];
    const Node *children[Fanout + 1];

    void add(Key key) {
      keys[count] = key;
      values[count++] = scramble(key);
    }
  };

  static int positionOf(const Node &node, Key key) {
    int position = 0;
    while (position < node.count && node.keys[position] < key)
      ++position;
    return position;
  }

  const Node *root;

private:
  std::vector<Node *> levelAbove(const std::vector<Node *> &level,
                                 std::vector<Key> &separators) {
    std::vector<Node *> above;
    std::vector<Key> left;
    for (std::size_t i = 0; i < level.size(); ++i) {
      if (i % (Fanout + 1) == 0)
        above.push_back(inner.emplace_back(std::make_unique<Node>()).get());
      above.back()->children[i % (Fanout + 1)] = level[i];
      if (i + 1 == level.size())
        break;
      if (i % (Fanout + 1) == Fanout)
        left.push_back(separators[i]);
      else
        above.back()->add(separators[i]);
    }
    separators = std::move(left);
    return above;
  }

  std::vector<Node> leaves;
  std::vector<std::unique_ptr<Node>> inner;
};

class OrderedIndex {
public:
  explicit OrderedIndex(Scale scale)
      : size(scale.of(4 << 20)),
        tree(size, [](std::int64_t i) { return 2 * i + 1; }) {
    queries.resize(scale.of(300000));
    for (std::size_t i = 0; i < queries.size(); ++i)
      queries[i] = randomBelow(1, i, 2 * size);
  }

  std::uint64_t run() {
    std::uint64_t sum = 0, found = 0;
#pragma heddle async
    for (const std::uint64_t query : queries)
      if (const auto value = tree.find(query)) {
        sum += *value;
        ++found;
      }
    return sum + found;
  }

  std::uint64_t runByHand() {
    struct Search {
      const BTree::Node *node;
      std::uint64_t key;
    };
    std::uint64_t sum = 0, found = 0;
    std::size_t next = 0;
    interleave<Search>(
        [&](Search &state) {
          if (next == queries.size())
            return false;
          state = {tree.root, queries[next++]};
          return true;
        },
        [&](Search &state) {
          const BTree::Node *node = state.node;
          const int position = BTree::positionOf(*node, state.key);
          if (position < node->count && node->keys[position] == state.key) {
            sum += node->values[position];
            ++found;
            return false;
          }
          if (node->isLeaf)
            return false;
          state.node = node->children[position];
          prefetch(state.node);
          prefetch(&state.node->keys[7]);
          return true;
        });
    return sum + found;
  }

private:
  std::int64_t size;
  BTree tree;
  std::vector<std::uint64_t> queries;
};

} // namespace

} // namespace heddle::bench

HEDDLE_BENCH_PROGRAM(OrderedIndex, "b-tree",
                     "look-ups in a B-tree behind a class")
