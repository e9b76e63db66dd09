//===- PairJoin.cpp - A hash join that emits pairs ------------------------===//
//
// Every match of a probe is appended to one vector, in the order of the probes.
//
//===----------------------------------------------------------------------===//

#include "JoinedTables.h"

namespace heddle::bench {

namespace {

class PairJoin {
public:
  explicit PairJoin(Scale scale) : tables(scale) {
    matches.reserve(2 * tables.probes.size());
  }

  void reset() { matches.clear(); }
  std::uint64_t digest() const { return sumOf(matches); }

  std::uint64_t run() {
    const std::vector<std::uint64_t> &probes = tables.probes;
#pragma heddle async
    for (std::size_t i = 0; i < probes.size(); ++i) {
      const std::uint64_t key = probes[i];
      for (const JoinRow *row = tables.bucketOf(key); row; row = row->next)
        if (row->key == key)
          matches.push_back({i, row->payload});
    }
    return matches.size();
  }

  std::uint64_t runByHand() {
    tables.joinByHand(matches);
    return matches.size();
  }

private:
  JoinedTables tables;
  std::vector<Match> matches;
};

} // namespace

} // namespace heddle::bench

HEDDLE_BENCH_PROGRAM(PairJoin, "pair-join",
                     "a hash join that emits pairs in order")
