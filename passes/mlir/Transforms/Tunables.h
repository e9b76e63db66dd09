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
inline BoundedOption
    PullBytesAhead("heddle-pull-bytes-ahead", 2048, {0, 1 << 20},
                   "Bytes by which edges are prefetched ahead");
/// Bytes of a cache line, a power of two. MLIR does not know the target; most
/// processors have lines of 64 bytes.
inline BoundedOption PullLineBytes("heddle-pull-line-bytes", 64,
                                   powersOfTwo(16, 4096),
                                   "Bytes of a cache line");

// Threads that take equal numbers of edges (ParallelPulls).

/// Chunks that all edge vectors make, if these are neither too short nor too
/// long: enough for every thread to have some in the end.
inline BoundedOption PullChunks("heddle-pull-chunks", 256, {1, 1 << 20},
                                "Chunks of edge vectors that threads take");
/// Edge vectors of a chunk at least, so that it is worth being taken.
inline BoundedOption PullChunkLeast("heddle-pull-chunk-least", 512,
                                    {1, 1 << 30},
                                    "Fewest edge vectors of a chunk");
/// Edge vectors of a chunk at most, so that others have something left.
inline BoundedOption PullChunkMost("heddle-pull-chunk-most", 4096, {1, 1 << 30},
                                   "Most edge vectors of a chunk");

// Processing of a chunk by a thread (LowerPullParallel).

/// Rows of a block: their sums and the data for them fit into a first-level
/// cache.
inline BoundedOption PullBlockRows("heddle-pull-block-rows", 1024, {1, 1 << 20},
                                   "Rows of a block");
/// Edge vectors by which elements of neighbours are prefetched ahead, so that
/// they come in time and are still there.
inline BoundedOption PullVectorsAhead(
    "heddle-pull-vectors-ahead", 16, {0, 1024},
    "Edge vectors by which elements of neighbours are prefetched ahead");
/// Bytes of an array whose elements need not be prefetched: about the size of a
/// second-level cache.
inline BoundedOption
    PullNearBytes("heddle-pull-near-bytes", 2 << 20, {0, 1 << 30},
                  "Most bytes of an array whose elements are not prefetched");
/// Edge vectors of rows that are processed one by one: with so long a row,
/// mispredicting its end costs less than combining the lanes of each vector.
inline BoundedOption PullLongRow(
    "heddle-pull-long-row", 3, {0, 1 << 20},
    "Edge vectors a row on average for which rows are processed one by one");

} // namespace heddle::tunable

#endif
