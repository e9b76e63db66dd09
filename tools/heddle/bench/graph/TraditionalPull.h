//===- TraditionalPull.h - The rival of scheduler awareness -----*- C++ -*-===//
//
// Grazelle's listing 2 with a parallel inner loop: an iteration is an edge,
// knows nothing of the iterations around it, and adds to its destination in
// memory.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_GRAPH_TRADITIONALPULL_H
#define HEDDLE_TOOLS_BENCH_GRAPH_TRADITIONALPULL_H

#include "heddle/graph/Csr.h"

#include <cstdint>

namespace heddle::bench {

enum class Synchronization {
  Atomic, ///< correct
  None    ///< loses concurrent updates; shows the cost of atomics
};

/// Adds the contributions along the in-edges to the sum of every vertex.
/// Threads take chunks of edges.
template <Synchronization Updates>
void pullTraditional(const graph::Csr<>::Rows &inRows,
                     const float *contributions, float *sums,
                     std::int64_t edgesPerChunk);

} // namespace heddle::bench

#endif
