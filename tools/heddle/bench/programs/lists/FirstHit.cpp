//===- FirstHit.cpp - A search for the first hit --------------------------===//

#include "../ByHand.h"
#include "Chains.h"

namespace heddle::bench {

namespace {

class FirstHit {
public:
  explicit FirstHit(Scale scale)
      : chains(scale.of(4 << 20)), keys(scale.of(2500000)) {
    // All but the last one in a hundred miss.
    for (std::size_t i = 0; i < keys.size(); ++i)
      keys[i] = 3 * randomBelow(1, i, chains.nodes.size()) +
                (i < keys.size() - keys.size() / 100 - 1);
  }

  std::uint64_t run() {
    const std::size_t size = keys.size();
    std::size_t first = size;
#pragma heddle async
    for (std::size_t i = 0; i < size; ++i) {
      const ChainNode *node = chains.buckets[chains.bucketOf(keys[i])];
      while (node && node->key != keys[i])
        node = node->next;
      if (node) {
        first = i;
        break;
      }
    }
    return first;
  }

  // Once there is a hit, no search begins; those before it may yet hit.
  std::uint64_t runByHand() {
    struct Search {
      const ChainNode *node;
      std::uint64_t key;
      std::size_t index;
    };
    const std::size_t size = keys.size();
    std::size_t first = size, next = 0;
    interleave<Search>(
        [&](Search &state) {
          while (next < size && first == size) {
            if (next + InFlight < size)
              prefetch(&chains.buckets[chains.bucketOf(keys[next + InFlight])]);
            state = {chains.buckets[chains.bucketOf(keys[next])], keys[next],
                     next};
            ++next;
            prefetch(state.node);
            if (state.node)
              return true;
          }
          return false;
        },
        [&](Search &state) {
          if (state.node->key == state.key) {
            first = std::min(first, state.index);
            return false;
          }
          state.node = state.node->next;
          prefetch(state.node);
          return state.node != nullptr;
        });
    return first;
  }

private:
  Chains chains;
  std::vector<std::uint64_t> keys;
};

} // namespace

} // namespace heddle::bench

HEDDLE_BENCH_PROGRAM(FirstHit, "first-hit", "a search for the first hit")
