//===- BinnedPaths.cpp - Relaxation into bins by push_back ----------------===//
//
// Shortest paths by delta-stepping: the vertices of one bin relax their edges,
// and those that come closer go to the bins of their new distances.
//
//===----------------------------------------------------------------------===//

#include "../ByHand.h"
#include "RandomGraph.h"

#include <atomic>

namespace heddle::bench {

namespace {

using Bins = std::vector<std::vector<std::uint32_t>>;

class BinnedPaths {
public:
  explicit BinnedPaths(Scale scale)
      : graph(scale.of(1 << 20), 4), distance(graph.size) {}

  void reset() { std::ranges::fill(distance, Unreached); }
  std::uint64_t digest() const {
    std::uint64_t sum = 0;
    for (std::int64_t v = 0; v < graph.size; ++v)
      sum += scramble(v ^ std::uint64_t(distance[v]) << 32);
    return sum;
  }

  std::uint64_t run() {
    return search([&](const std::vector<std::uint32_t> &frontier, Bins &bins,
                      std::uint32_t closest) {
#pragma omp for nowait schedule(dynamic, 1024)
#pragma heddle async
      for (std::size_t i = 0; i < frontier.size(); ++i) {
        const std::uint32_t u = frontier[i];
        if (distance[u] >= closest)
          for (std::uint32_t e = graph.begin[u]; e < graph.begin[u + 1]; ++e)
            relax(u, e, bins);
      }
    });
  }

  std::uint64_t runByHand() {
    return search([&](const std::vector<std::uint32_t> &frontier, Bins &bins,
                      std::uint32_t closest) {
      const auto count = static_cast<std::int64_t>(frontier.size());
      inGroups<16>(count, [&](std::int64_t first, auto size) {
        const std::uint32_t *group = frontier.data() + first;
        for (int i = 0; i < size; ++i) {
          if (first + i + 16 < count)
            prefetch(&graph.begin[group[i + 16]]);
          prefetch(&distance[group[i]]);
          prefetch(&graph.target[graph.begin[group[i]]]);
        }
        for (int i = 0; i < size; ++i)
          for (std::uint32_t e = graph.begin[group[i]];
               e < graph.begin[group[i] + 1]; ++e)
            prefetchForWriting(&distance[graph.target[e]]);
        for (int i = 0; i < size; ++i)
          if (distance[group[i]] >= closest)
            for (std::uint32_t e = graph.begin[group[i]];
                 e < graph.begin[group[i] + 1]; ++e)
              relax(group[i], e, bins);
      });
    });
  }

private:
  static constexpr std::uint32_t Unreached = 1U << 30, Delta = 64;

  void relax(std::uint32_t u, std::uint32_t e, Bins &bins) {
    const std::uint32_t v = graph.target[e];
    const std::uint32_t closer = distance[u] + 1 + (e * 0x9E3779B9 >> 24);
    std::uint32_t old = distance[v];
    while (closer < old) {
      if (std::atomic_ref(distance[v]).compare_exchange_weak(old, closer)) {
        const std::size_t bin = closer / Delta;
        if (bin >= bins.size())
          bins.resize(bin + 1);
        bins[bin].push_back(v);
        break;
      }
    }
  }

  /// Returns the number of bins that are not empty; `expand` expands the
  /// vertices of one bin.
  template <typename Expand> std::uint64_t search(Expand expand) {
    distance[0] = 0;
    Bins bins(1, {0});
    std::vector<std::uint32_t> frontier;
    for (std::size_t bin = 0; bin < bins.size(); ++bin)
      while (!bins[bin].empty()) {
        frontier.swap(bins[bin]);
        bins[bin].clear();
        expand(frontier, bins, bin * Delta);
      }
    return bins.size();
  }

  RandomGraph graph;
  std::vector<std::uint32_t> distance;
};

} // namespace

} // namespace heddle::bench

HEDDLE_BENCH_PROGRAM(BinnedPaths, "delta-stepping",
                     "relaxation into bins by push_back")
