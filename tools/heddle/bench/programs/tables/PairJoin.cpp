//===- PairJoin.cpp - A hash join that emits pairs ------------------------===//
//
// Every match of a probe is appended to the result.
//
//===----------------------------------------------------------------------===//

#include "../ByHand.h"
#include "../Program.h"

#include <bit>
#include <vector>

namespace heddle::bench {

namespace {

struct Row {
  std::uint64_t key;
  std::uint64_t payload;
  const Row *next;
};

struct Match {
  std::uint64_t probe;
  std::uint64_t payload;
};

class PairJoin {
public:
  explicit PairJoin(Scale scale) : rows(scale.of(4 << 20)) {
    buckets.resize(std::bit_ceil(rows.size()) / 2);
    const Permutation place(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      Row &row = rows[place(i)];
      const std::uint64_t key = i / 2 * 3; // two of each
      row = {key, i, bucketOf(key)};
      bucketOf(key) = &row;
    }
    probes.resize(scale.of(1500000));
    for (std::size_t i = 0; i < probes.size(); ++i)
      probes[i] = randomBelow(1, i, rows.size() / 2 * 3);
    matches.reserve(2 * probes.size());
  }

  void reset() { matches.clear(); }
  std::uint64_t digest() const {
    std::uint64_t sum = 0;
    for (const Match &match : matches)
      sum += scramble(match.probe) ^ match.payload;
    return sum;
  }

  std::uint64_t run() {
#pragma heddle async
    for (std::size_t i = 0; i < probes.size(); ++i) {
      const std::uint64_t key = probes[i];
      for (const Row *row = bucketOf(key); row; row = row->next)
        if (row->key == key)
          matches.push_back({i, row->payload});
    }
    return matches.size();
  }

  std::uint64_t runByHand() {
    struct Probe {
      const Row *row;
      std::uint64_t key, index;
    };
    std::size_t next = 0;
    interleave<Probe>(
        [&](Probe &probe) {
          while (next < probes.size()) {
            if (next + InFlight < probes.size())
              prefetch(&bucketOf(probes[next + InFlight]));
            probe = {bucketOf(probes[next]), probes[next], next};
            ++next;
            prefetch(probe.row);
            if (probe.row)
              return true;
          }
          return false;
        },
        [&](Probe &probe) {
          if (probe.row->key == probe.key)
            matches.push_back({probe.index, probe.row->payload});
          probe.row = probe.row->next;
          prefetch(probe.row);
          return probe.row != nullptr;
        });
    return matches.size();
  }

private:
  const Row *&bucketOf(std::uint64_t key) {
    return buckets[(key * 0x9E3779B97F4A7C15 >> 20) & (buckets.size() - 1)];
  }

  std::vector<Row> rows;
  std::vector<const Row *> buckets;
  std::vector<std::uint64_t> probes;
  std::vector<Match> matches;
};

} // namespace

} // namespace heddle::bench

HEDDLE_BENCH_PROGRAM(PairJoin, "pair-join", "a hash join that emits pairs")
