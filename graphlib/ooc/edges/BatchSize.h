//===- BatchSize.h - The number of vertices of a batch ---------*- C++ -*-===//
//
// Shared by `heddle ooc prepare` and `heddle ooc plan`.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_OOC_EDGES_BATCHSIZE_H
#define HEDDLE_GRAPHLIB_OOC_EDGES_BATCHSIZE_H

#include "heddle/graph/ooc/Layout.h"

#include <algorithm>
#include <cstdint>

namespace heddle::graph::ooc {

/// With few batches threads have no work, for one batch often has most of the
/// edges: in a Kronecker graph, the first quarter of the vertices is the target
/// of 58 % of the edges. Many batches take more space, for each stores sources.
inline constexpr double FewestBatches = 8;

/// The size of a batch in BatchUnits, at least 1. As section 2.2 says, the
/// vertex data of a batch for each thread take at most half of the memory, and
/// there are one and a half batches for each thread, but at least
/// FewestBatches.
inline std::uint64_t usualBatchUnits(std::uint64_t partitionVertices,
                                     std::uint64_t memoryBytes,
                                     unsigned threads,
                                     std::uint64_t vertexBytes) {
  threads = std::max(threads, 1u);
  const std::uint64_t inMemory =
      memoryBytes / 2 / threads / std::max<std::uint64_t>(vertexBytes, 1);
  const auto forThreads =
      static_cast<std::uint64_t>(static_cast<double>(partitionVertices) /
                                 std::max(1.5 * threads, FewestBatches));
  return std::max<std::uint64_t>(std::min(inMemory, forThreads) / BatchUnit, 1);
}

} // namespace heddle::graph::ooc

#endif
