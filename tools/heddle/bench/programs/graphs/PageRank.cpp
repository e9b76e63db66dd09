//===- PageRank.cpp - A pull step of PageRank -----------------------------===//
//
// The negative control: addresses come from an array that is read in order, so
// that the processor overlaps the accesses by itself.
//
//===----------------------------------------------------------------------===//

#include "../ByHand.h"
#include "RandomGraph.h"

namespace heddle::bench {

namespace {

class PageRank {
public:
  explicit PageRank(Scale scale)
      : graph(scale.of(3 << 20), 20), share(graph.size), rank(graph.size) {
    for (std::int64_t v = 0; v < graph.size; ++v)
      share[v] = randomBelow(1, v, 1 << 20);
  }

  void reset() { std::ranges::fill(rank, 0); }
  std::uint64_t digest() const {
    std::uint64_t sum = 0;
    for (std::int64_t v = 0; v < graph.size; ++v)
      sum += scramble(v) * rank[v];
    return sum;
  }

  std::uint64_t run() {
#pragma omp parallel for schedule(dynamic, 16384)
#pragma heddle async
    for (std::int64_t v = 0; v < graph.size; ++v) {
      std::uint64_t incoming = 0;
      for (std::uint32_t e = graph.begin[v]; e < graph.begin[v + 1]; ++e)
        incoming += share[graph.target[e]];
      rank[v] = 1000 + incoming * 85 / 100;
    }
    return 0;
  }

  std::uint64_t runByHand() {
    constexpr std::uint32_t ahead = 64;
    const auto edges = static_cast<std::uint32_t>(graph.target.size());
    for (std::int64_t v = 0; v < graph.size; ++v) {
      std::uint64_t incoming = 0;
      for (std::uint32_t e = graph.begin[v]; e < graph.begin[v + 1]; ++e) {
        if (e + ahead < edges)
          prefetch(&share[graph.target[e + ahead]]);
        incoming += share[graph.target[e]];
      }
      rank[v] = 1000 + incoming * 85 / 100;
    }
    return 0;
  }

private:
  RandomGraph graph;
  std::vector<std::uint32_t> share;
  std::vector<std::uint64_t> rank;
};

} // namespace

} // namespace heddle::bench

HEDDLE_BENCH_PROGRAM(PageRank, "pagerank",
                     "a pull step of PageRank: nothing to gain")
