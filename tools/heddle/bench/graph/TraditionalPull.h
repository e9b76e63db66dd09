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
  None    ///< loses updates where threads meet; shows what atomics cost
};

/// Adds to the sum of every vertex what its in-edges bring. Threads take
/// chunks of edges.
template <Synchronization Updates>
void pullTraditional(const graph::Csr<>::Rows &inRows,
                     const float *contributions, float *sums,
                     std::int64_t edgesPerChunk);

} // namespace heddle::bench

#endif
