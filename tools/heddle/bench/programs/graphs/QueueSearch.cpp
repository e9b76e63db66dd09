//===- QueueSearch.cpp - Breadth-first search into a plain queue ----------===//
//
// Vertices that are found go to places of one array that an atomic counter
// hands out.
//
//===----------------------------------------------------------------------===//

#include "../ByHand.h"
#include "RandomGraph.h"

#include <atomic>

namespace heddle::bench {

namespace {

class QueueSearch {
public:
  explicit QueueSearch(Scale scale)
      : graph(scale.of(3 << 20), 4), queue(graph.size), depth(graph.size) {}

  void reset() {
    std::ranges::fill(queue, 0);
    std::ranges::fill(depth, -1);
  }
  std::uint64_t digest() const {
    std::uint64_t sum = 0;
    for (std::int64_t v = 0; v < graph.size; ++v)
      sum += scramble(v) * depth[v];
    return sum;
  }

  std::uint64_t run() {
    return search([&](std::int64_t first, std::int64_t last, std::int32_t next,
                      std::atomic<std::int64_t> &tail) {
#pragma omp parallel for schedule(dynamic, 4096)
#pragma heddle async
      for (std::int64_t i = first; i < last; ++i) {
        const std::uint32_t u = queue[i];
        for (std::uint32_t e = graph.begin[u]; e < graph.begin[u + 1]; ++e) {
          const std::uint32_t v = graph.target[e];
          std::int32_t unseen = -1;
          if (std::atomic_ref(depth[v]).load(std::memory_order_relaxed) < 0 &&
              std::atomic_ref(depth[v]).compare_exchange_strong(unseen, next))
            queue[tail.fetch_add(1)] = v;
        }
      }
    });
  }

  // The queue says what comes: rows, edges and depths are requested at growing
  // distances ahead.
  std::uint64_t runByHand() {
    return search([&](std::int64_t first, std::int64_t last, std::int32_t next,
                      std::atomic<std::int64_t> &tail) {
      constexpr std::int64_t step = 16;
      for (std::int64_t i = first - 3 * step; i < last; ++i) {
        if (i + 3 * step < last)
          prefetch(&graph.begin[queue[i + 3 * step]]);
        if (i + 2 * step >= first && i + 2 * step < last)
          prefetch(&graph.target[graph.begin[queue[i + 2 * step]]]);
        if (i + step >= first && i + step < last) {
          const std::uint32_t u = queue[i + step];
          for (std::uint32_t e = graph.begin[u]; e < graph.begin[u + 1]; ++e)
            prefetchForWriting(&depth[graph.target[e]]);
        }
        if (i < first)
          continue;
        const std::uint32_t u = queue[i];
        for (std::uint32_t e = graph.begin[u]; e < graph.begin[u + 1]; ++e) {
          const std::uint32_t v = graph.target[e];
          std::int32_t unseen = -1;
          if (std::atomic_ref(depth[v]).load(std::memory_order_relaxed) < 0 &&
              std::atomic_ref(depth[v]).compare_exchange_strong(unseen, next))
            queue[tail.fetch_add(1)] = v;
        }
      }
    });
  }

private:
  /// Returns the number of vertices that are reached; `expand` expands a part
  /// of the queue.
  template <typename Expand> std::uint64_t search(Expand expand) {
    std::atomic<std::int64_t> tail = 1;
    depth[0] = 0;
    queue[0] = 0;
    std::int64_t first = 0;
    for (std::int32_t next = 1; first < tail; ++next) {
      const std::int64_t last = tail;
      expand(first, last, next, tail);
      first = last;
    }
    return tail;
  }

  RandomGraph graph;
  std::vector<std::uint32_t> queue;
  std::vector<std::int32_t> depth;
};

} // namespace

} // namespace heddle::bench

HEDDLE_BENCH_PROGRAM(QueueSearch, "bfs-queue",
                     "breadth-first search into a queue, by fetch_add")
