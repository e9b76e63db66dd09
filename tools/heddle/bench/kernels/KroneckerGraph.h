//===- KroneckerGraph.h - The graph of Graph500 as plain rows --*- C++ -*-===//

#ifndef HEDDLE_TOOLS_BENCH_KERNELS_KRONECKERGRAPH_H
#define HEDDLE_TOOLS_BENCH_KERNELS_KRONECKERGRAPH_H

#include "Loops.h"

#include "../measure/Memory.h"

namespace heddle::bench {

/// The undirected graph of generateKronecker() with 16 edges a vertex, of which
/// there is a power of two. Each edge stands in the rows of both its ends;
/// loops and repeated edges remain.
Graph makeKroneckerGraph(uint64_t vertices, Arena &arena);

/// The memory that it takes.
uint64_t kroneckerBytesPerVertex();

} // namespace heddle::bench

#endif
