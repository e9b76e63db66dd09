//===- SortedKeys.cpp - std::lower_bound in a large array -----------------===//

#include "../ByHand.h"
#include "../Program.h"

#include <vector>

namespace heddle::bench {

namespace {

class SortedKeys {
public:
  explicit SortedKeys(Scale scale)
      : keys(scale.of(16 << 20)), queries(scale.of(150000)) {
    for (std::size_t i = 0; i < keys.size(); ++i)
      keys[i] = 4 * i + randomBelow(1, i, 4);
    for (std::size_t i = 0; i < queries.size(); ++i)
      queries[i] = randomBelow(2, i, 4 * keys.size());
  }

  std::uint64_t run() {
    std::uint64_t sum = 0;
#pragma heddle async
    for (const std::uint64_t query : queries)
      sum += std::lower_bound(keys.begin(), keys.end(), query) - keys.begin();
    return sum;
  }

  // All searches take the same steps, so that a group stays together.
  std::uint64_t runByHand() {
    std::uint64_t sum = 0;
    inGroups<Width>(static_cast<std::int64_t>(queries.size()),
                    [&](std::int64_t first, auto size) {
                      const std::uint64_t *values = keys.data();
                      std::int64_t base[Width], left = keys.size();
                      for (int i = 0; i < size; ++i)
                        base[i] = 0;
                      while (left > 1) {
                        const std::int64_t half = left / 2;
                        for (int i = 0; i < size; ++i)
                          base[i] +=
                              values[base[i] + half - 1] < queries[first + i]
                                  ? half
                                  : 0;
                        left -= half;
                        for (int i = 0; left > 1 && i < size; ++i)
                          prefetch(&values[base[i] + left / 2 - 1]);
                      }
                      for (int i = 0; i < size; ++i)
                        sum += base[i] + (values[base[i]] < queries[first + i]);
                    });
    return sum;
  }

private:
  static constexpr int Width = 64;

  std::vector<std::uint64_t> keys, queries;
};

} // namespace

} // namespace heddle::bench

HEDDLE_BENCH_PROGRAM(SortedKeys, "lower-bound",
                     "std::lower_bound in a large array")
