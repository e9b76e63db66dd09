//===- Forest.cpp - A decision forest -------------------------------------===//
//
// Every sample goes down all trees, and their leaves are added.
//
//===----------------------------------------------------------------------===//

#include "../ByHand.h"
#include "../Program.h"

#include <vector>

namespace heddle::bench {

namespace {

constexpr int Trees = 16, Features = 16;

/// Children lie next to each other; a leaf has none.
struct Node {
  std::uint32_t children;
  std::uint32_t feature;
  std::uint32_t threshold; ///< or a leaf's value
};

struct Sample {
  std::uint32_t features[Features];
};

class Forest {
public:
  explicit Forest(Scale scale) : samples(scale.of(50000)) {
    const std::int64_t splits = scale.of(1 << 18);
    trees.resize(Trees);
    for (int tree = 0; tree < Trees; ++tree)
      grow(trees[tree], 100 + tree, splits);
    for (std::size_t i = 0; i < samples.size(); ++i)
      for (int k = 0; k < Features; ++k)
        samples[i].features[k] = randomBelow(1, Features * i + k, 1 << 30);
  }

  std::uint64_t run() {
    std::uint64_t sum = 0;
#pragma heddle async
    for (const Sample &sample : samples) {
      std::uint64_t votes = 0;
      for (const std::vector<Node> &tree : trees) {
        const Node *node = tree.data();
        while (node->children)
          node = &tree[node->children +
                       (sample.features[node->feature] >= node->threshold)];
        votes += node->threshold;
      }
      sum += votes * votes;
    }
    return sum;
  }

  // All trees of a sample at once.
  std::uint64_t runByHand() {
    std::uint64_t sum = 0;
    for (const Sample &sample : samples) {
      const Node *nodes[Trees];
      int open[Trees];
      for (int tree = 0; tree < Trees; ++tree) {
        nodes[tree] = trees[tree].data();
        open[tree] = tree;
      }
      for (int count = Trees; count > 0;) {
        int kept = 0;
        for (int i = 0; i < count; ++i) {
          const int tree = open[i];
          const Node *node = nodes[tree];
          if (!node->children)
            continue;
          node =
              &trees[tree][node->children +
                           (sample.features[node->feature] >= node->threshold)];
          prefetch(node);
          nodes[tree] = node;
          open[kept++] = tree;
        }
        count = kept;
      }
      std::uint64_t votes = 0;
      for (const Node *node : nodes)
        votes += node->threshold;
      sum += votes * votes;
    }
    return sum;
  }

private:
  /// Splits nodes breadth-first, three of four of them, and places the children
  /// at random.
  static void grow(std::vector<Node> &tree, std::uint64_t seed,
                   std::int64_t splits) {
    const Permutation place(splits);
    tree.resize(1 + 2 * splits);
    std::vector<std::uint32_t> open = {0};
    std::int64_t used = 0;
    for (std::size_t i = 0; i < open.size(); ++i) {
      Node &node = tree[open[i]];
      const std::uint64_t bits = scramble(seed ^ i << 8);
      node = {0, static_cast<std::uint32_t>(bits % Features),
              static_cast<std::uint32_t>(bits >> 34)};
      const bool splitsNode = i < 64 || bits / Features % 4 > 0;
      if (!splitsNode || used == splits) {
        node.threshold %= 256;
        continue;
      }
      // The middle of what may arrive here is not known; near it is enough.
      node.threshold = (3U << 28) / 2 + node.threshold / 4;
      node.children = static_cast<std::uint32_t>(1 + 2 * place(used++));
      open.push_back(node.children);
      open.push_back(node.children + 1);
    }
  }

  std::vector<std::vector<Node>> trees;
  std::vector<Sample> samples;
};

} // namespace

} // namespace heddle::bench

HEDDLE_BENCH_PROGRAM(Forest, "forest", "a decision forest")
