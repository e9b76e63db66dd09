//===- PrefixSum.h - From counts to positions ------------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_DETAIL_SORT_PREFIXSUM_H
#define HEDDLE_GRAPH_DETAIL_SORT_PREFIXSUM_H

#include "heddle/graph/detail/Assert.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace heddle::graph {

/// Replaces every value by the sum of those before it and returns the sum of
/// all. In parallel: the values are read twice and written once.
inline std::uint64_t exclusivePrefixSum(std::span<std::uint64_t> values) {
  constexpr std::size_t Blocks = 256;
  const std::size_t blockSize = (values.size() + Blocks - 1) / Blocks;
  const auto block = [&](std::size_t index) {
    const std::size_t begin = std::min(index * blockSize, values.size());
    return values.subspan(begin, std::min(blockSize, values.size() - begin));
  };

  std::array<std::uint64_t, Blocks> sums;
#pragma omp parallel for
  for (std::size_t i = 0; i < Blocks; ++i) {
    std::uint64_t sum = 0;
    for (const std::uint64_t value : block(i))
      sum += value;
    sums[i] = sum;
  }

  std::uint64_t total = 0;
  for (std::uint64_t &sum : sums) {
    const std::uint64_t next = total + sum;
    HEDDLE_ASSERT(next >= total); // the sum does not overflow
    sum = total;
    total = next;
  }

#pragma omp parallel for
  for (std::size_t i = 0; i < Blocks; ++i) {
    std::uint64_t before = sums[i];
    for (std::uint64_t &value : block(i)) {
      const std::uint64_t next = before + value;
      value = before;
      before = next;
    }
  }
  HEDDLE_ASSERT(values.empty() ||
                (values.front() == 0 && values.back() <= total));
  return total;
}

} // namespace heddle::graph

#endif
