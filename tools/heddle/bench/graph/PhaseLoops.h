//===- PhaseLoops.h - PageRank's phases as plain loops ---------*- C++ -*-===//
//
// The build compiles one source file, PhaseLoops.cpp, twice: without vector
// code and with it. The end of that file lists the stores it is instantiated
// for.
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

/// Edge-pull: adds up the contributions along the in-edges of every vertex.
/// Threads take chunks of about this number of edges.
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
