//===- JoinedTables.h - The tables of hash joins ----------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_BENCH_PROGRAMS_TABLES_JOINEDTABLES_H
#define HEDDLE_TOOLS_BENCH_PROGRAMS_TABLES_JOINEDTABLES_H

#include "../ByHand.h"
#include "../Program.h"

#include <bit>
#include <vector>

namespace heddle::bench {

struct JoinRow {
  std::uint64_t key;
  std::uint64_t payload;
  const JoinRow *next;
};

struct Match {
  std::uint64_t probe;
  std::uint64_t payload;
};

/// A hash table with two rows of each key, and the keys that are looked up.
struct JoinedTables {
  std::vector<JoinRow> rows;
  std::vector<const JoinRow *> buckets;
  std::vector<std::uint64_t> probes;

  explicit JoinedTables(Scale scale) : rows(scale.of(4 << 20)) {
    buckets.resize(std::bit_ceil(rows.size()) / 2);
    const Permutation place(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      JoinRow &row = rows[place(i)];
      const std::uint64_t key = i / 2 * 3;
      row = {key, i, bucketOf(key)};
      bucketOf(key) = &row;
    }
    probes.resize(scale.of(1500000));
    for (std::size_t i = 0; i < probes.size(); ++i)
      probes[i] = randomBelow(1, i, rows.size() / 2 * 3);
  }

  const JoinRow *&bucketOf(std::uint64_t key) {
    return buckets[(key * 0x9E3779B97F4A7C15 >> 20) & (buckets.size() - 1)];
  }

  /// The join by hand. Matches come in another order, which a sum does not see.
  void joinByHand(std::vector<Match> &matches) {
    struct Probe {
      const JoinRow *row;
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
  }
};

inline std::uint64_t sumOf(const std::vector<Match> &matches) {
  std::uint64_t sum = 0;
  for (const Match &match : matches)
    sum += scramble(match.probe) ^ match.payload;
  return sum;
}

} // namespace heddle::bench

#endif
