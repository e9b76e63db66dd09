//===- KroneckerGraph.h - The graph of Graph500 as plain rows --*- C++ -*-===//

#ifndef HEDDLE_TOOLS_BENCH_KERNELS_KRONECKERGRAPH_H
#define HEDDLE_TOOLS_BENCH_KERNELS_KRONECKERGRAPH_H

#include "Loops.h"

#include "../measure/Memory.h"

namespace heddle::bench {

/// Returns the undirected graph of generateKronecker() with 16 edges a vertex.
/// The number of vertices is a power of two. Each edge is in the rows of both
/// its ends; loops and repeated edges remain.
Graph makeKroneckerGraph(uint64_t vertices, Arena &arena);

/// The memory that it takes.
uint64_t kroneckerBytesPerVertex();

} // namespace heddle::bench

#endif
