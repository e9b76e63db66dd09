//===- Histogram.cpp - A histogram of hashed values -----------------------===//

#include "../ByHand.h"
#include "../Program.h"

#include <vector>

namespace heddle::bench {

namespace {

class Histogram {
public:
  explicit Histogram(Scale scale)
      : values(scale.of(10 << 20)), bins(scale.of(24 << 20)) {
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = scramble(i ^ 77);
  }

  void reset() { std::ranges::fill(bins, 0); }
  std::uint64_t digest() const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < bins.size(); ++i)
      sum += i * bins[i];
    return sum;
  }

  std::uint64_t run() {
#pragma heddle async
    for (std::size_t i = 0; i < values.size(); ++i)
      ++bins[values[i] % bins.size()];
    return 0;
  }

  std::uint64_t runByHand() {
    constexpr std::size_t ahead = 32;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i + ahead < values.size())
        prefetchForWriting(&bins[values[i + ahead] % bins.size()]);
      ++bins[values[i] % bins.size()];
    }
    return 0;
  }

private:
  std::vector<std::uint64_t> values;
  std::vector<std::uint32_t> bins;
};

} // namespace

} // namespace heddle::bench

HEDDLE_BENCH_PROGRAM(Histogram, "histogram", "a histogram with many bins")
