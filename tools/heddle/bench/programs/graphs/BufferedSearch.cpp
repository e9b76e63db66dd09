//===- BufferedSearch.cpp - Breadth-first search into a buffer object -----===//
//
// Each thread collects what it finds in a buffer of its own, which it appends
// to the shared queue when it is full.
//
//===----------------------------------------------------------------------===//

#include "../ByHand.h"
#include "RandomGraph.h"

#include <atomic>

namespace heddle::bench {

namespace {

struct SharedQueue {
  std::vector<std::uint32_t> places;
  std::atomic<std::size_t> tail = 0;
};

class QueueBuffer {
public:
  explicit QueueBuffer(SharedQueue &queue) : queue(queue), found(Capacity) {}

  void push(std::uint32_t vertex) {
    if (count == Capacity)
      flush();
    found[count++] = vertex;
  }

  void flush() {
    const std::size_t place = queue.tail.fetch_add(count);
    std::copy(found.begin(), found.begin() + count,
              queue.places.begin() + place);
    count = 0;
  }

private:
  static constexpr std::size_t Capacity = 4096;
  SharedQueue &queue;
  std::vector<std::uint32_t> found;
  std::size_t count = 0;
};

class BufferedSearch {
public:
  explicit BufferedSearch(Scale scale)
      : graph(scale.of(3 << 20), 4), parent(graph.size) {
    queue.places.resize(graph.size);
  }

  void reset() { std::ranges::fill(parent, NoParent); }
  // Which parent a vertex gets depends on the order; whether it has one does
  // not.
  std::uint64_t digest() const {
    std::uint64_t sum = 0;
    for (std::int64_t v = 0; v < graph.size; ++v)
      sum += parent[v] == NoParent ? 0 : scramble(v);
    return sum;
  }

  std::uint64_t run() {
    return search([&](std::size_t first, std::size_t last) {
#pragma omp parallel
      {
        QueueBuffer buffer(queue);
#pragma omp for schedule(dynamic, 1024) nowait
#pragma heddle async
        for (std::size_t i = first; i < last; ++i) {
          const std::uint32_t u = queue.places[i];
          for (std::uint32_t e = graph.begin[u]; e < graph.begin[u + 1]; ++e)
            visit(u, graph.target[e], buffer);
        }
        buffer.flush();
      }
    });
  }

  std::uint64_t runByHand() {
    return search([&](std::size_t first, std::size_t last) {
      QueueBuffer buffer(queue);
      const std::uint32_t *frontier = queue.places.data() + first;
      const auto count = static_cast<std::int64_t>(last - first);
      inGroups<16>(count, [&](std::int64_t begin, auto size) {
        const std::uint32_t *group = frontier + begin;
        for (int i = 0; i < size; ++i) {
          if (begin + i + 16 < count)
            prefetch(&graph.begin[group[i + 16]]);
          prefetch(&graph.target[graph.begin[group[i]]]);
        }
        for (int i = 0; i < size; ++i)
          for (std::uint32_t e = graph.begin[group[i]];
               e < graph.begin[group[i] + 1]; ++e)
            prefetchForWriting(&parent[graph.target[e]]);
        for (int i = 0; i < size; ++i)
          for (std::uint32_t e = graph.begin[group[i]];
               e < graph.begin[group[i] + 1]; ++e)
            visit(group[i], graph.target[e], buffer);
      });
      buffer.flush();
    });
  }

private:
  static constexpr std::uint32_t NoParent = ~0U;

  void visit(std::uint32_t u, std::uint32_t v, QueueBuffer &buffer) {
    std::uint32_t old = parent[v];
    if (old == NoParent &&
        std::atomic_ref(parent[v]).compare_exchange_strong(old, u))
      buffer.push(v);
  }

  /// Returns the number of vertices that are reached; `expand` expands a part
  /// of the queue.
  template <typename Expand> std::uint64_t search(Expand expand) {
    parent[0] = queue.places[0] = 0;
    queue.tail = 1;
    for (std::size_t first = 0; first < queue.tail;) {
      const std::size_t last = queue.tail;
      expand(first, last);
      first = last;
    }
    return queue.tail;
  }

  RandomGraph graph;
  std::vector<std::uint32_t> parent;
  SharedQueue queue;
};

} // namespace

} // namespace heddle::bench

HEDDLE_BENCH_PROGRAM(BufferedSearch, "bfs-buffer",
                     "breadth-first search into a thread's buffer")
