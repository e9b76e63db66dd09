//===- PhaseLoops.h - PageRank's phases as plain loops ---------*- C++ -*-===//
//
// One source file, PhaseLoops.cpp, which the build compiles twice: without
// vector code and with it. It has the stores that its end lists.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_GRAPH_PHASELOOPS_H
#define HEDDLE_TOOLS_BENCH_GRAPH_PHASELOOPS_H

#include "heddle/graph/Csr.h"
#include "heddle/graph/VectorSparse.h"

#include <cstddef>
#include <cstdint>

namespace heddle::bench {

enum class Code { Scalar, Vector };

/// Edge-pull: the sum of every vertex is what its in-edges bring. Threads take
/// chunks of about so many edges.
template <Code, graph::Graph Store, typename Value>
void pull(const Store &graph, const Value *contributions, Value *sums,
          std::int64_t edgesPerChunk);

/// Edge-push: every vertex adds to the sums of its out-edges' ends.
template <Code, graph::Graph Store, typename Value>
void push(const Store &graph, const Value *contributions, Value *sums);

/// Vertex: from sums to ranks and the next contributions.
template <Code, typename Value>
void updateVertices(std::size_t vertices, const Value *sums,
                    const Value *inverseDegrees, Value *ranks,
                    Value *contributions);

} // namespace heddle::bench

#endif
