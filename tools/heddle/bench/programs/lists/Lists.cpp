//===- Lists.cpp - Sums of linked lists -----------------------------------===//

#include "../ByHand.h"
#include "../Program.h"

#include <vector>

namespace heddle::bench {

namespace {

struct Node {
  std::uint64_t value;
  const Node *next;
};

class Lists {
public:
  explicit Lists(Scale scale)
      : nodes(scale.of(6 << 20, 64)), heads(scale.of(1 << 18, 4)) {
    // Lists of 0 to 15 nodes, which lie anywhere.
    const Permutation place(nodes.size());
    std::size_t used = 0;
    for (std::size_t i = 0; i < heads.size(); ++i)
      for (std::uint64_t k = randomBelow(1, i, 16); k > 0; --k) {
        Node &node = nodes[place(used++ % nodes.size())];
        node = {scramble(used), heads[i]};
        heads[i] = &node;
      }
    count = heads.size();
  }

  std::uint64_t run() {
    std::uint64_t sum = 0;
#pragma heddle async
    for (std::size_t i = 0; i < count; ++i)
      for (const Node *node = heads[i]; node; node = node->next)
        sum += node->value;
    return sum;
  }

  // A group of lists, compacted in every step and filled up with new ones.
  std::uint64_t runByHand() {
    constexpr int width = 64;
    const Node *nodes[width];
    std::uint64_t sum = 0;
    int live = 0;
    for (std::size_t next = 0; live > 0 || next < count;) {
      int kept = 0;
      for (int i = 0; i < live; ++i) {
        sum += nodes[i]->value;
        const Node *node = nodes[i]->next;
        prefetch(node);
        nodes[kept] = node;
        kept += node != nullptr;
      }
      for (live = kept; live < width && next < count; ++next) {
        prefetch(nodes[live] = heads[next]);
        live += heads[next] != nullptr;
      }
    }
    return sum;
  }

private:
  std::vector<Node> nodes;
  std::vector<const Node *> heads;
  std::size_t count;
};

} // namespace

} // namespace heddle::bench

HEDDLE_BENCH_PROGRAM(Lists, "lists", "sums of linked lists")
