//===- EdgeChunks.h - A nest in chunks of equal work ------------*- C++ -*-===//
//
// Rewrites a pull nest, which every thread runs from its first row to its last,
// to run the ranges of rows that the run time hands out (runtime/pull.h), of
// whose first and last row only some of the edges may be in the range. Before:
//
//     preheader -> header -> edges -> rest of the row -> latch -> header | exit
//
// After:
//
//     preheader -> next -> header -> edges -> ended -> rest of the row
//                                               |          |
//                                             defer -> advance -> header | next
//     next -> exit
//
// `ended` asks whether the row is whole; the piece of one that is not goes to
// its slot. A row that began in an earlier chunk starts from what combines with
// anything, or, when it is merged, from what its pieces have combined, with
// none of its edges left to run.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_SCHEDULE_AWARE_EDGECHUNKS_H
#define HEDDLE_PASSES_SCHEDULE_AWARE_EDGECHUNKS_H

namespace llvm {
class ScalarEvolution;
class Value;
} // namespace llvm

namespace heddle {

struct PullNest;
struct Worksharing;

/// \p ChunkEdges is the edges clause's value, known in the preheader, or null.
/// Invalidates all analyses, and \p Nest.
void shareOutByEdges(PullNest &Nest, Worksharing &W, llvm::Value *ChunkEdges,
                     llvm::ScalarEvolution &SE);

} // namespace heddle

#endif
