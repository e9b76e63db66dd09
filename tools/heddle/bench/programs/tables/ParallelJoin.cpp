//===- ParallelJoin.cpp - A hash join into threads' own vectors -----------===//
//
// Every thread appends the matches of its probes to a vector of its own, in any
// order.
//
//===----------------------------------------------------------------------===//

#include "JoinedTables.h"

namespace heddle::bench {

namespace {

class ParallelJoin {
public:
  explicit ParallelJoin(Scale scale) : tables(scale) {}

  void reset() { parts.clear(); }
  std::uint64_t digest() const {
    std::uint64_t sum = 0;
    for (const std::vector<Match> &part : parts)
      sum += sumOf(part);
    return sum;
  }

  std::uint64_t run() {
    const std::vector<std::uint64_t> &probes = tables.probes;
#pragma omp parallel
    {
      std::vector<Match> own;
      own.reserve(2 * probes.size());
#pragma omp for schedule(dynamic, 4096) nowait
#pragma heddle async
      for (std::size_t i = 0; i < probes.size(); ++i) {
        const std::uint64_t key = probes[i];
        for (const JoinRow *row = tables.bucketOf(key); row; row = row->next)
          if (row->key == key)
            own.push_back({i, row->payload});
      }
#pragma omp critical
      parts.push_back(std::move(own));
    }
    return parts.size();
  }

  std::uint64_t runByHand() {
    std::vector<Match> own;
    own.reserve(2 * tables.probes.size());
    tables.joinByHand(own);
    parts.push_back(std::move(own));
    return parts.size();
  }

private:
  JoinedTables tables;
  std::vector<std::vector<Match>> parts;
};

} // namespace

} // namespace heddle::bench

HEDDLE_BENCH_PROGRAM(ParallelJoin, "parallel-join",
                     "a hash join into threads' own vectors")
