//===- Chains.h - The hash table of filters and searches --------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_BENCH_PROGRAMS_LISTS_CHAINS_H
#define HEDDLE_TOOLS_BENCH_PROGRAMS_LISTS_CHAINS_H

#include "../Program.h"

#include <bit>
#include <vector>

namespace heddle::bench {

struct ChainNode {
  std::uint64_t key;
  std::uint64_t value;
  const ChainNode *next;
};

/// The keys 0, 3, 6, ..., in chains of two on average.
struct Chains {
  std::vector<ChainNode> nodes;
  std::vector<const ChainNode *> buckets; ///< a power of two of them

  explicit Chains(std::int64_t count)
      : nodes(count), buckets(std::bit_ceil<std::uint64_t>(count) / 2) {
    const Permutation place(count);
    for (std::int64_t i = 0; i < count; ++i) {
      ChainNode &node = nodes[place(i)];
      const ChainNode *&bucket = buckets[bucketOf(3 * i)];
      node = {3 * static_cast<std::uint64_t>(i), scramble(i), bucket};
      bucket = &node;
    }
  }

  std::uint64_t bucketOf(std::uint64_t key) const {
    return (key * 0x9E3779B97F4A7C15 >> 20) & (buckets.size() - 1);
  }
};

} // namespace heddle::bench

#endif
