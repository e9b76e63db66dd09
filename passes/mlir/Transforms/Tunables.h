//===- Tunables.h - The numbers that passes over MLIR decide by -*- C++ -*-===//
//
// As in loop/Tunables.h. heddle-opt has them as options; so has mlir-opt once
// it has loaded HeddleMLIR.so. Clang loads the generator of vector code when it
// is needed, after it has read its options: there the defaults hold.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_MLIR_TRANSFORMS_TUNABLES_H
#define HEDDLE_PASSES_MLIR_TRANSFORMS_TUNABLES_H

#include "loop/BoundedOption.h"

namespace heddle::tunable {

// Edge vectors that are read one after the other (LowerPull).

/// Bytes by which edges and weights are prefetched ahead: half a page, since
/// hardware prefetchers begin anew on each.
extern BoundedOption PullBytesAhead;
/// Bytes of a cache line, a power of two. MLIR does not know the target; most
/// processors have lines of 64 bytes.
extern BoundedOption PullLineBytes;

// Threads that take equal numbers of edges (ParallelPulls).

/// Chunks that all edge vectors make, if these are neither too short nor too
/// long: enough for every thread to have some in the end.
extern BoundedOption PullChunks;
/// Edge vectors of a chunk at least, so that it is worth being taken.
extern BoundedOption PullChunkLeast;
/// Edge vectors of a chunk at most, so that others have something left.
extern BoundedOption PullChunkMost;

// Processing of a chunk by a thread (LowerPullParallel).

/// Rows of a block: their sums and the data for them fit into a first-level
/// cache.
extern BoundedOption PullBlockRows;
/// Edge vectors by which elements of neighbours are prefetched ahead, so that
/// they come in time and are still there.
extern BoundedOption PullVectorsAhead;
/// Bytes of an array whose elements need not be prefetched: about the size of a
/// second-level cache.
extern BoundedOption PullNearBytes;
/// Edge vectors of rows that are processed one by one: with so long a row,
/// mispredicting its end costs less than combining the lanes of each vector.
extern BoundedOption PullLongRow;

} // namespace heddle::tunable

#endif
