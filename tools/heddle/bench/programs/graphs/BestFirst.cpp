//===- BestFirst.cpp - Best-first search with a priority queue ------------===//
//
// The nearest of many points, searched greedily in a graph of neighbours, as
// HNSW does in its lowest layer: each query has a queue of candidates of its
// own.
//
//===----------------------------------------------------------------------===//

#include "../ByHand.h"
#include "../Program.h"

#include <queue>
#include <vector>

namespace heddle::bench {

namespace {

constexpr int Degree = 8, Dimensions = 16, Expansions = 12;

struct Item {
  std::uint32_t neighbours[Degree];
  std::uint16_t position[Dimensions];
};

struct Candidate {
  std::uint64_t distance;
  std::uint32_t item;

  bool operator<(const Candidate &other) const {
    return distance != other.distance ? distance > other.distance
                                      : item > other.item;
  }
};

using Candidates = std::priority_queue<Candidate>;

std::uint64_t distanceOf(const std::uint16_t *one, const std::uint16_t *other) {
  std::uint64_t sum = 0;
  for (int i = 0; i < Dimensions; ++i) {
    const std::int64_t difference = std::int64_t(one[i]) - other[i];
    sum += difference * difference;
  }
  return sum;
}

class BestFirst {
public:
  explicit BestFirst(Scale scale) : items(scale.of(2 << 20)) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      for (int k = 0; k < Degree; ++k)
        items[i].neighbours[k] = randomBelow(1, Degree * i + k, items.size());
      for (int k = 0; k < Dimensions; ++k)
        items[i].position[k] = randomBelow(2, Dimensions * i + k, 1 << 12);
    }
    queries.resize(scale.of(10000));
    for (std::size_t i = 0; i < queries.size(); ++i)
      queries[i] = randomBelow(3, i, items.size());
  }

  std::uint64_t run() {
    std::uint64_t sum = 0;
#pragma heddle async
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const Item &wanted = items[queries[i]];
      Candidates candidates;
      const std::uint32_t entry = entryOf(i);
      candidates.push(
          {distanceOf(items[entry].position, wanted.position), entry});
      Candidate best = candidates.top();
      for (int step = 0; step < Expansions && !candidates.empty(); ++step) {
        const Candidate closest = candidates.top();
        candidates.pop();
        if (closest.distance < best.distance)
          best = closest;
        for (const std::uint32_t next : items[closest.item].neighbours)
          candidates.push(
              {distanceOf(items[next].position, wanted.position), next});
      }
      sum += best.distance ^ best.item;
    }
    return sum;
  }

  std::uint64_t runByHand() {
    struct Search {
      const Item *wanted;
      Candidates candidates;
      Candidate best;
      const std::uint32_t *neighbours; ///< null before the entry
      std::uint32_t entry;
      int steps;
    };
    std::uint64_t sum = 0;
    std::size_t next = 0;
    interleave<Search, 8>(
        [&](Search &state) {
          if (next == queries.size())
            return false;
          state.wanted = &items[queries[next]];
          state.candidates = {};
          state.neighbours = nullptr;
          state.entry = entryOf(next++);
          state.steps = 0;
          request(*state.wanted);
          request(items[state.entry]);
          return true;
        },
        [&](Search &state) {
          const auto push = [&](std::uint32_t item) {
            state.candidates.push(
                {distanceOf(items[item].position, state.wanted->position),
                 item});
          };
          if (!state.neighbours) {
            push(state.entry);
            state.best = state.candidates.top();
          } else {
            for (int k = 0; k < Degree; ++k)
              push(state.neighbours[k]);
          }
          if (state.steps++ == Expansions) {
            sum += state.best.distance ^ state.best.item;
            return false;
          }
          const Candidate closest = state.candidates.top();
          state.candidates.pop();
          if (closest.distance < state.best.distance)
            state.best = closest;
          state.neighbours = items[closest.item].neighbours;
          for (int k = 0; k < Degree; ++k)
            request(items[state.neighbours[k]]);
          return true;
        });
    return sum;
  }

private:
  static void request(const Item &item) {
    prefetch(&item);
    prefetch(item.position + Dimensions - 1);
  }

  std::uint32_t entryOf(std::size_t query) const {
    return randomBelow(4, query, items.size());
  }

  std::vector<Item> items;
  std::vector<std::uint32_t> queries;
};

} // namespace

} // namespace heddle::bench

HEDDLE_BENCH_PROGRAM(BestFirst, "best-first",
                     "best-first search with a priority queue")
