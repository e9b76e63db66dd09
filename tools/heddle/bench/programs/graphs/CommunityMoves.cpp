//===- CommunityMoves.cpp - A Louvain move with a local hash map ----------===//
//
// Each vertex tallies the communities of its neighbours in a map of its own,
// and chooses the one that gains most.
//
//===----------------------------------------------------------------------===//

#include "../ByHand.h"
#include "RandomGraph.h"

namespace heddle::bench {

namespace {

/// A hash map of a few keys on the stack.
class Tally {
public:
  Tally() { std::fill(keys, keys + Slots, Empty); }

  void add(std::uint32_t key, std::uint32_t weight) {
    std::uint32_t slot = key * 0x9E3779B9 >> 26;
    while (keys[slot] != key && keys[slot] != Empty)
      slot = (slot + 1) % Slots;
    if (keys[slot] == Empty) {
      keys[slot] = key;
      weights[slot] = 0;
      used[count++] = slot;
    }
    weights[slot] += weight;
  }

  template <typename Visit> void forEach(Visit visit) const {
    for (std::uint32_t i = 0; i < count; ++i)
      visit(keys[used[i]], weights[used[i]]);
  }

private:
  static constexpr std::uint32_t Slots = 64, Empty = ~0U;
  std::uint32_t keys[Slots], weights[Slots], used[Slots], count = 0;
};

class CommunityMoves {
public:
  explicit CommunityMoves(Scale scale)
      : graph(scale.of(8 << 20), 4), community(graph.size), moved(graph.size),
        total(graph.size) {
    for (std::int64_t v = 0; v < graph.size; ++v) {
      community[v] = randomBelow(21, v, graph.size);
      total[community[v]] += graph.begin[v + 1] - graph.begin[v];
    }
    count = scale.of(1 << 18);
  }

  void reset() { std::ranges::fill(moved, 0); }
  std::uint64_t digest() const {
    std::uint64_t sum = 0;
    for (std::int64_t v = 0; v < count; ++v)
      sum += scramble(v ^ moved[v]);
    return sum;
  }

  std::uint64_t run() {
#pragma heddle async
    for (std::int64_t v = 0; v < count; ++v) {
      Tally tally;
      for (std::uint32_t e = graph.begin[v]; e < graph.begin[v + 1]; ++e)
        tally.add(community[graph.target[e]], 1 + e % 4);
      std::uint32_t best = community[v];
      std::int64_t bestGain = 0;
      tally.forEach([&](std::uint32_t candidate, std::uint32_t weight) {
        const std::int64_t gain = gainOf(weight, total[candidate]);
        if (gain > bestGain) {
          bestGain = gain;
          best = candidate;
        }
      });
      moved[v] = best;
    }
    return 0;
  }

  // Group prefetching: vertices ahead have requested the communities of their
  // neighbours, and tallies wait for the totals together.
  std::uint64_t runByHand() {
    inGroups(count, [&](std::int64_t first, auto size) {
      for (std::uint32_t e = graph.begin[first]; e < graph.begin[first + size];
           ++e)
        prefetch(&community[graph.target[e]]);
      for (std::uint32_t e = graph.begin[first]; e < graph.begin[first + size];
           ++e)
        prefetch(&total[community[graph.target[e]]]);
      for (std::int64_t v = first; v < first + size; ++v) {
        Tally tally;
        for (std::uint32_t e = graph.begin[v]; e < graph.begin[v + 1]; ++e)
          tally.add(community[graph.target[e]], 1 + e % 4);
        std::uint32_t best = community[v];
        std::int64_t bestGain = 0;
        tally.forEach([&](std::uint32_t candidate, std::uint32_t weight) {
          const std::int64_t gain = gainOf(weight, total[candidate]);
          if (gain > bestGain) {
            bestGain = gain;
            best = candidate;
          }
        });
        moved[v] = best;
      }
    });
    return 0;
  }

private:
  static std::int64_t gainOf(std::uint32_t weight, std::uint32_t total) {
    return 64 * static_cast<std::int64_t>(weight) - 5 * total;
  }

  RandomGraph graph;
  std::vector<std::uint32_t> community, moved, total;
  std::int64_t count;
};

} // namespace

} // namespace heddle::bench

HEDDLE_BENCH_PROGRAM(CommunityMoves, "louvain",
                     "a Louvain move with a local hash map")
