//===- BatchSize.h - How many vertices a batch has -------------*- C++ -*-===//
//
// The same for graphs that are prepared and for those that are only planned.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_OOC_EDGES_BATCHSIZE_H
#define HEDDLE_GRAPHLIB_OOC_EDGES_BATCHSIZE_H

#include "heddle/graph/ooc/Layout.h"

#include <algorithm>
#include <cstdint>

namespace heddle::graph::ooc {

/// Few batches leave threads without work, for one of them often has most of
/// the edges: of a Kronecker graph, that of the first quarter of vertices has
/// 58 % of what edges lead to. Many take more on disk, for each has its own
/// sources.
inline constexpr double FewestBatches = 8;

/// Section 2.2: as large as half of the memory holds for all threads, but one
/// and a half for each thread, and FewestBatches. Returns a number of
/// BatchUnits, at least 1.
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
