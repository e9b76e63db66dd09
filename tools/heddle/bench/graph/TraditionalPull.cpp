//===- TraditionalPull.cpp - The rival of scheduler awareness -------------===//

#include "TraditionalPull.h"

#include <algorithm>

namespace heddle::bench {

template <Synchronization Updates>
void pullTraditional(const graph::Csr<>::Rows &inRows,
                     const float *contributions, float *sums,
                     std::int64_t edgesPerChunk) {
  const auto &offsets = inRows.offsets;
  const auto edges = static_cast<std::int64_t>(inRows.targets.size());
  const std::int64_t chunks = (edges + edgesPerChunk - 1) / edgesPerChunk;
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
    const auto first = static_cast<std::uint64_t>(chunk * edgesPerChunk);
    const auto last = static_cast<std::uint64_t>(
        std::min(edges, (chunk + 1) * edgesPerChunk));
    auto destination = static_cast<std::size_t>(
        std::upper_bound(offsets.begin(), offsets.end(), first) -
        offsets.begin() - 1);
    for (std::uint64_t edge = first; edge < last; ++edge) {
      while (edge == offsets[destination + 1])
        ++destination;
      const float contribution = contributions[inRows.targets[edge]];
      // The array of contributions might be the array of sums, so that sums
      // stay in memory, not in registers.
      if constexpr (Updates == Synchronization::Atomic) {
#pragma omp atomic
        sums[destination] += contribution;
      } else {
        sums[destination] += contribution;
      }
    }
  }
}

template void
pullTraditional<Synchronization::Atomic>(const graph::Csr<>::Rows &,
                                         const float *, float *, std::int64_t);
template void pullTraditional<Synchronization::None>(const graph::Csr<>::Rows &,
                                                     const float *, float *,
                                                     std::int64_t);

} // namespace heddle::bench
