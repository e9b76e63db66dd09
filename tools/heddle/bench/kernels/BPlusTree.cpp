//===- BPlusTree.cpp - Look-ups in a B+ tree -----------------------------===//

#include "Coroutine.h"
#include "Kernels.h"

#include "../Random.h"

#include <algorithm>
#include <type_traits>
#include <vector>

namespace heddle::bench {

namespace {

inline void prefetchNode(const TreeNode *node) {
  prefetch(&node->keyCount);
  prefetch(&node->children);
}

inline uint64_t valueIn(const TreeNode *leaf, uint64_t key) {
  const uint32_t slot = keysNotAbove(*leaf, key);
  return slot > 0 && leaf->keys[slot - 1] == key ? leaf->values[slot - 1] : 0;
}

Operation lookUpCoroutine(Tree tree, uint64_t key, uint64_t &sum) {
  const TreeNode *node = tree.root;
  for (int level = 0; level < tree.height; ++level) {
    node = node->children[keysNotAbove(*node, key)];
    prefetchNode(node);
    co_await std::suspend_always{};
  }
  sum += valueIn(node, key);
}

uint64_t lookUpWithCoroutines(Tree tree, const uint64_t *keys, int64_t begin,
                              int64_t end) {
  return roundRobin(begin, end, [&](int64_t i, uint64_t &sum) {
    return lookUpCoroutine(tree, keys[i], sum);
  });
}

uint64_t lookUpWithFifo(Tree tree, const uint64_t *keys, int64_t begin,
                        int64_t end) {
  struct Context {
    const TreeNode *node;
    uint64_t key;
    int level;
  } ring[FifoInFlight];
  uint64_t sum = 0;
  int64_t next = begin;
  int live = 0;
  while (live < FifoInFlight && next < end)
    ring[live++] = {tree.root, keys[next++], 0};
  for (int turn = 0; live > 0;) {
    Context &lookUp = ring[turn];
    if (lookUp.level < tree.height) {
      ++lookUp.level;
      lookUp.node =
          lookUp.node->children[keysNotAbove(*lookUp.node, lookUp.key)];
      prefetchNode(lookUp.node);
      ++turn;
    } else {
      sum += valueIn(lookUp.node, lookUp.key);
      if (next < end) {
        lookUp = {tree.root, keys[next++], 0};
        ++turn;
      } else {
        lookUp = ring[--live];
      }
    }
    if (turn >= live)
      turn = 0;
  }
  return sum;
}

/// All look-ups descend through the same number of levels, so a group stays
/// whole.
template <class Size>
uint64_t lookUpGroup(Tree tree, const uint64_t *keys, Size size) {
  const TreeNode *node[PhaseQueueInFlight];
  for (int i = 0; i < size; ++i)
    node[i] = tree.root;
  for (int level = 0; level < tree.height; ++level)
    for (int i = 0; i < size; ++i) {
      node[i] = node[i]->children[keysNotAbove(*node[i], keys[i])];
      prefetchNode(node[i]);
    }
  uint64_t sum = 0;
  for (int i = 0; i < size; ++i)
    sum += valueIn(node[i], keys[i]);
  return sum;
}

uint64_t lookUpWithPhaseQueue(Tree tree, const uint64_t *keys, int64_t begin,
                              int64_t end) {
  constexpr std::integral_constant<int, PhaseQueueInFlight> full;
  uint64_t sum = 0;
  for (; end - begin >= full; begin += full)
    sum += lookUpGroup(tree, keys + begin, full);
  return sum + lookUpGroup(tree, keys + begin, static_cast<int>(end - begin));
}

/// Makes a tree of full nodes that contains the keys 3, 6, 9... and is
/// scattered over `nodes`.
class TreeBuilder {
public:
  TreeBuilder(TreeNode *nodes, uint64_t nodeCount)
      : nodes(nodes), place(nodeCount) {}

  Tree build(uint64_t leaves) {
    std::vector<Child> level;
    for (uint64_t leaf = 0; leaf < leaves; ++leaf)
      level.push_back(makeLeaf());
    Tree tree = {nullptr, 0};
    for (; level.size() > 1; ++tree.height) {
      std::vector<Child> above;
      for (size_t first = 0; first < level.size(); first += Order)
        above.push_back(
            makeInner(&level[first], std::min(Order, level.size() - first)));
      level = std::move(above);
    }
    tree.root = level.front().node;
    return tree;
  }

  /// The number of nodes of a tree with `leaves` leaves.
  static uint64_t nodesFor(uint64_t leaves) {
    uint64_t total = leaves;
    for (uint64_t level = leaves; level > 1; total += level)
      level = (level + Order - 1) / Order;
    return total;
  }

private:
  static constexpr size_t Order = TreeNode::MaxKeys + 1;
  struct Child {
    TreeNode *node;
    uint64_t leastKey;
  };

  TreeNode *take() { return &nodes[place(taken++)]; }

  Child makeLeaf() {
    TreeNode *leaf = take();
    leaf->keyCount = TreeNode::MaxKeys;
    for (uint32_t slot = 0; slot < TreeNode::MaxKeys; ++slot) {
      leaf->keys[slot] = nextKey;
      leaf->values[slot] = scramble(nextKey);
      nextKey += 3;
    }
    return {leaf, leaf->keys[0]};
  }

  Child makeInner(const Child *children, size_t count) {
    TreeNode *inner = take();
    inner->keyCount = count - 1;
    std::fill_n(inner->keys, TreeNode::MaxKeys, UINT64_MAX);
    for (size_t i = 0; i < count; ++i) {
      inner->children[i] = children[i].node;
      if (i > 0)
        inner->keys[i - 1] = children[i].leastKey;
    }
    return {inner, children[0].leastKey};
  }

  TreeNode *nodes;
  Permutation place;
  uint64_t taken = 0;
  uint64_t nextKey = 3;
};

} // namespace

Workload buildBPlusTree(Arena &arena, WorkloadSize size) {
  const int64_t count = size.operations(1 << 19);
  // A seventh of the nodes are above the leaves.
  const uint64_t leaves = size.bytes / sizeof(TreeNode) * 7 / 8;
  const uint64_t nodeCount = TreeBuilder::nodesFor(leaves);
  TreeNode *nodes = arena.allocate<TreeNode>(nodeCount);
  const Tree tree = TreeBuilder(nodes, nodeCount).build(leaves);
  // One in eight is a key that is not there.
  const uint64_t keyCount = leaves * TreeNode::MaxKeys;
  uint64_t *keys = arena.allocate<uint64_t>(count);
  for (int64_t i = 0; i < count; ++i)
    keys[i] =
        3 * (randomBelow(16, i, keyCount) + 1) + (randomBelow(17, i, 8) == 0);
  const auto run = [=](Version version) {
    if (!isHandWritten(version))
      return loopsOf(version).bptree(tree, keys, count);
    return interleave(version, 0, count, lookUpWithCoroutines, lookUpWithFifo,
                      lookUpWithPhaseQueue, tree, keys);
  };
  return {.operations = count, .run = run};
}

} // namespace heddle::bench
