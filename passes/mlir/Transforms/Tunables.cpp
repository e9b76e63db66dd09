//===- Tunables.cpp - The numbers that passes over MLIR decide by ---------===//

#include "mlir/Transforms/Tunables.h"

using namespace heddle;

BoundedOption heddle::tunable::PullBytesAhead(
    "heddle-pull-bytes-ahead", 2048, {0, 1 << 20},
    "Bytes by which edges are prefetched ahead");

// A line has at least one element.
BoundedOption heddle::tunable::PullLineBytes("heddle-pull-line-bytes", 64,
                                             powersOfTwo(16, 4096),
                                             "Bytes of a cache line");

BoundedOption
    heddle::tunable::PullChunks("heddle-pull-chunks", 256, {1, 1 << 20},
                                "Chunks of edge vectors that threads take");

BoundedOption heddle::tunable::PullChunkLeast("heddle-pull-chunk-least", 512,
                                              {1, 1 << 30},
                                              "Fewest edge vectors of a chunk");

BoundedOption heddle::tunable::PullChunkMost("heddle-pull-chunk-most", 4096,
                                             {1, 1 << 30},
                                             "Most edge vectors of a chunk");

BoundedOption heddle::tunable::PullBlockRows("heddle-pull-block-rows", 1024,
                                             {1, 1 << 20}, "Rows of a block");

BoundedOption heddle::tunable::PullVectorsAhead(
    "heddle-pull-vectors-ahead", 16, {0, 1024},
    "Edge vectors by which elements of neighbours are prefetched ahead");

BoundedOption heddle::tunable::PullNearBytes(
    "heddle-pull-near-bytes", 2 << 20, {0, 1 << 30},
    "Most bytes of an array whose elements are not prefetched");

BoundedOption heddle::tunable::PullLongRow(
    "heddle-pull-long-row", 3, {0, 1 << 20},
    "Edge vectors a row on average for which rows are processed one by one");
