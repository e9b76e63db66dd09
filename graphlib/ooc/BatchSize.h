//===- BatchSize.h - How many vertices a batch has -------------*- C++ -*-===//
//
// The same for graphs that are prepared and for those that are only planned.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_OOC_BATCHSIZE_H
#define HEDDLE_GRAPHLIB_OOC_BATCHSIZE_H

#include "heddle/graph/ooc/Layout.h"

#include <algorithm>
#include <cstdint>

namespace heddle::graph::ooc {

/// Section 2.2: as large as half of the memory holds for all threads, but one
/// and a half for each thread. Returns a number of BatchUnits, at least 1.
inline std::uint64_t usualBatchUnits(std::uint64_t partitionVertices,
                                     std::uint64_t memoryBytes,
                                     unsigned threads,
                                     std::uint64_t vertexBytes) {
  threads = std::max(threads, 1u);
  const std::uint64_t inMemory =
      memoryBytes / 2 / threads / std::max<std::uint64_t>(vertexBytes, 1);
  const auto forThreads = static_cast<std::uint64_t>(
      static_cast<double>(partitionVertices) / (1.5 * threads));
  return std::max<std::uint64_t>(std::min(inMemory, forThreads) / BatchUnit, 1);
}

} // namespace heddle::graph::ooc

#endif
