//===- Triangles.cpp - Triangle counting ----------------------------------===//
//
// Two sorted rows are merged for every edge.
//
//===----------------------------------------------------------------------===//

#include "../ByHand.h"
#include "RandomGraph.h"

namespace heddle::bench {

namespace {

class Triangles {
public:
  explicit Triangles(Scale scale) : graph(scale.of(2 << 20), 6) {
    for (std::int64_t v = 0; v < graph.size; ++v)
      std::sort(graph.target.begin() + graph.begin[v],
                graph.target.begin() + graph.begin[v + 1]);
    count = scale.of(100000);
  }

  std::uint64_t run() {
    std::uint64_t total = 0;
#pragma omp parallel for schedule(dynamic, 1024) reduction(+ : total)
#pragma heddle async
    for (std::int64_t u = 0; u < count; ++u)
      for (std::uint32_t e = graph.begin[u]; e < graph.begin[u + 1]; ++e)
        total += common(u, graph.target[e]);
    return total;
  }

  std::uint64_t runByHand() {
    constexpr std::int64_t ahead = 8;
    std::uint64_t total = 0;
    const auto forRow = [&](std::int64_t u, auto visit) {
      for (std::uint32_t e = u < count ? graph.begin[u] : 0,
                         end = u < count ? graph.begin[u + 1] : 0;
           e < end; ++e)
        visit(graph.target[e]);
    };
    for (std::int64_t u = 0; u < count; ++u) {
      forRow(u + 2 * ahead,
             [&](std::uint32_t v) { prefetch(&graph.begin[v]); });
      forRow(u + ahead,
             [&](std::uint32_t v) { prefetch(&graph.target[graph.begin[v]]); });
      forRow(u, [&](std::uint32_t v) { total += common(u, v); });
    }
    return total;
  }

private:
  std::uint64_t common(std::int64_t u, std::uint32_t v) const {
    std::uint32_t i = graph.begin[u], j = graph.begin[v];
    const std::uint32_t iEnd = graph.begin[u + 1], jEnd = graph.begin[v + 1];
    std::uint64_t sum = 0;
    while (i < iEnd && j < jEnd) {
      const std::uint32_t one = graph.target[i], other = graph.target[j];
      sum += one == other ? one % 7 + 1 : 0;
      i += one <= other;
      j += other <= one;
    }
    return sum;
  }

  RandomGraph graph;
  std::int64_t count;
};

} // namespace

} // namespace heddle::bench

HEDDLE_BENCH_PROGRAM(Triangles, "triangles", "triangle counting by merges")
