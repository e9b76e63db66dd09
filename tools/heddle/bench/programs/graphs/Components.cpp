//===- Components.cpp - Components by labels and pointer jumping ----------===//
//
// Shiloach and Vishkin's algorithm: edges hook labels onto smaller ones, and
// then every vertex follows its labels to the end.
//
//===----------------------------------------------------------------------===//

#include "../ByHand.h"
#include "RandomGraph.h"

#include <atomic>
#include <numeric>

namespace heddle::bench {

namespace {

class Components {
public:
  explicit Components(Scale scale)
      : graph(scale.of(3 << 20), 2, true), label(graph.size) {}

  void reset() { std::iota(label.begin(), label.end(), 0U); }
  std::uint64_t digest() const {
    std::uint64_t sum = 0;
    for (std::int64_t v = 0; v < graph.size; ++v)
      sum += scramble(v ^ std::uint64_t(label[v]) << 32);
    return sum;
  }

  std::uint64_t run() {
    const auto hookAll = [&] {
      bool changed = false;
#pragma omp parallel for schedule(dynamic, 16384) reduction(|| : changed)
#pragma heddle async
      for (std::int64_t u = 0; u < graph.size; ++u)
        for (std::uint32_t e = graph.begin[u]; e < graph.begin[u + 1]; ++e)
          changed |= hook(u, graph.target[e]);
      return changed;
    };
    while (hookAll()) {
#pragma omp parallel for schedule(static)
#pragma heddle async
      for (std::int64_t v = 0; v < graph.size; ++v)
        while (labelOf(v) != labelOf(labelOf(v)))
          setLabel(v, labelOf(labelOf(v)));
    }
    return 0;
  }

  // Requests far ahead of the edge, or the vertex, that is being processed.
  std::uint64_t runByHand() {
    constexpr std::uint32_t ahead = 64;
    const auto edges = static_cast<std::uint32_t>(graph.target.size());
    bool changed = true;
    while (changed) {
      changed = false;
      for (std::int64_t u = 0; u < graph.size; ++u)
        for (std::uint32_t e = graph.begin[u]; e < graph.begin[u + 1]; ++e) {
          if (e + ahead < edges)
            prefetchForWriting(&label[graph.target[e + ahead]]);
          changed |= hook(u, graph.target[e]);
        }
      for (std::int64_t v = 0; v < graph.size && changed; ++v) {
        if (v + ahead < graph.size)
          prefetch(&label[label[v + ahead]]);
        while (labelOf(v) != labelOf(labelOf(v)))
          setLabel(v, labelOf(labelOf(v)));
      }
    }
    return 0;
  }

private:
  std::uint32_t labelOf(std::uint64_t v) {
    return std::atomic_ref(label[v]).load(std::memory_order_relaxed);
  }
  void setLabel(std::uint64_t v, std::uint32_t to) {
    std::atomic_ref(label[v]).store(to, std::memory_order_relaxed);
  }

  /// Hooks the larger label of an edge onto the smaller one, if it is a root.
  bool hook(std::uint64_t u, std::uint64_t v) {
    const std::uint32_t one = labelOf(u), other = labelOf(v);
    if (one == other)
      return false;
    const std::uint32_t high = std::max(one, other);
    if (labelOf(high) != high)
      return false;
    setLabel(high, std::min(one, other));
    return true;
  }

  RandomGraph graph;
  std::vector<std::uint32_t> label;
};

} // namespace

} // namespace heddle::bench

HEDDLE_BENCH_PROGRAM(Components, "components",
                     "components by hooking and pointer jumping")
