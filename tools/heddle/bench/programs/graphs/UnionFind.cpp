//===- UnionFind.cpp - Union-find with atomics ----------------------------===//

#include "../ByHand.h"
#include "../Program.h"

#include <atomic>
#include <numeric>
#include <vector>

namespace heddle::bench {

namespace {

struct Edge {
  std::uint32_t from, to;
};

class UnionFind {
public:
  explicit UnionFind(Scale scale) : parent(scale.of(24 << 20)) {
    edges.resize(scale.of(3 << 20));
    for (std::size_t i = 0; i < edges.size(); ++i)
      edges[i] = {std::uint32_t(randomBelow(1, i, parent.size())),
                  std::uint32_t(randomBelow(2, i, parent.size()))};
  }

  void reset() { std::iota(parent.begin(), parent.end(), 0U); }
  std::uint64_t digest() {
    std::uint64_t sum = 0;
    for (std::uint32_t v = 0; v < parent.size(); ++v)
      sum += scramble(v ^ std::uint64_t(find(v)) << 32);
    return sum;
  }

  std::uint64_t run() {
    std::uint64_t trees = parent.size();
#pragma omp parallel for schedule(dynamic, 4096) reduction(- : trees)
#pragma heddle async
    for (std::size_t i = 0; i < edges.size(); ++i)
      trees -= unite(edges[i].from, edges[i].to);
    return trees;
  }

  std::uint64_t runByHand() {
    // Two walks at once; their ends are united where both have arrived.
    struct Walk {
      std::uint32_t one, other;
    };
    std::uint64_t trees = parent.size();
    std::size_t next = 0;
    interleave<Walk>(
        [&](Walk &walk) {
          if (next == edges.size())
            return false;
          if (next + InFlight < edges.size()) {
            prefetch(&parent[edges[next + InFlight].from]);
            prefetch(&parent[edges[next + InFlight].to]);
          }
          walk = {edges[next].from, edges[next].to};
          ++next;
          return true;
        },
        [&](Walk &walk) {
          const std::uint32_t one = parent[walk.one];
          const std::uint32_t other = parent[walk.other];
          if (one == walk.one && other == walk.other) {
            trees -= unite(one, other);
            return false;
          }
          prefetch(&parent[walk.one = one]);
          prefetch(&parent[walk.other = other]);
          return true;
        });
    return trees;
  }

private:
  std::uint32_t find(std::uint32_t v) {
    while (true) {
      const std::uint32_t up =
          std::atomic_ref(parent[v]).load(std::memory_order_relaxed);
      if (up == v)
        return v;
      v = up;
    }
  }

  /// Returns whether two trees have become one.
  bool unite(std::uint32_t one, std::uint32_t other) {
    while (true) {
      one = find(one);
      other = find(other);
      if (one == other)
        return false;
      if (one < other)
        std::swap(one, other);
      std::uint32_t root = one;
      if (std::atomic_ref(parent[one]).compare_exchange_strong(root, other))
        return true;
    }
  }

  std::vector<std::uint32_t> parent;
  std::vector<Edge> edges;
};

} // namespace

} // namespace heddle::bench

HEDDLE_BENCH_PROGRAM(UnionFind, "union-find", "union-find with atomics")
