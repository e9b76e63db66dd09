//===- Filter.cpp - A filter that writes what it finds --------------------===//

#include "../ByHand.h"
#include "Chains.h"

namespace heddle::bench {

namespace {

class Filter {
public:
  explicit Filter(Scale scale)
      : chains(scale.of(4 << 20)), keys(scale.of(2400000)), found(keys.size()) {
    for (std::size_t i = 0; i < keys.size(); ++i)
      keys[i] = randomBelow(1, i, 3 * chains.nodes.size());
  }

  void reset() { std::ranges::fill(found, 0); }
  std::uint64_t digest() const {
    std::uint64_t sum = 0;
    for (const std::uint32_t place : found)
      sum += scramble(place);
    return sum;
  }

  std::uint64_t run() {
    const std::uint64_t *key = keys.data();
    std::uint32_t *out = found.data();
    const std::size_t size = keys.size();
    std::size_t count = 0;
#pragma heddle async
    for (std::size_t i = 0; i < size; ++i) {
      const ChainNode *node = chains.buckets[chains.bucketOf(key[i])];
      while (node && node->key != key[i])
        node = node->next;
      if (node)
        out[count++] = i;
    }
    return count;
  }

  // Matches come in another order, which a sum does not see.
  std::uint64_t runByHand() {
    struct Search {
      const ChainNode *node;
      std::uint64_t key;
      std::uint32_t index;
    };
    std::size_t count = 0, next = 0;
    interleave<Search>(
        [&](Search &state) {
          while (next < keys.size()) {
            if (next + InFlight < keys.size())
              prefetch(&chains.buckets[chains.bucketOf(keys[next + InFlight])]);
            state = {chains.buckets[chains.bucketOf(keys[next])], keys[next],
                     static_cast<std::uint32_t>(next)};
            ++next;
            prefetch(state.node);
            if (state.node)
              return true;
          }
          return false;
        },
        [&](Search &state) {
          if (state.node->key == state.key) {
            found[count++] = state.index;
            return false;
          }
          state.node = state.node->next;
          prefetch(state.node);
          return state.node != nullptr;
        });
    return count;
  }

private:
  Chains chains;
  std::vector<std::uint64_t> keys;
  std::vector<std::uint32_t> found;
};

} // namespace

} // namespace heddle::bench

HEDDLE_BENCH_PROGRAM(Filter, "filter", "a filter that writes what it finds")
