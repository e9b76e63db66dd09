//===- EdgeChunks.h - A nest in chunks of equal work ------------*- C++ -*-===//
//
// Rewrites a pull nest, which every thread runs from its first row to its last,
// so that it runs the chunks that the run time hands out (runtime/pull/pull.h):
// ranges of whole rows, or some of the edges of one row. Before:
//
//     preheader -> header -> row -> latch -> header | exit
//
// After, where `kind` chooses between copies of its successors, those for whole
// rows (WholeRows) and the one for a part of a row (CutRows):
//
//     preheader -> next -> kind -> header -> row -> latch -> advance
//     advance -> header | next
//     next -> exit
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_PULL_EDGECHUNKS_H
#define HEDDLE_PASSES_PULL_EDGECHUNKS_H

namespace llvm {
class ScalarEvolution;
class Value;
} // namespace llvm

namespace heddle {

struct PullNest;
struct Worksharing;

/// \p ChunkEdges is the edges clause's value, known in the preheader, or null.
/// Invalidates all analyses, and \p Nest.
void balanceByEdges(PullNest &Nest, Worksharing &W, llvm::Value *ChunkEdges,
                    llvm::ScalarEvolution &SE);

} // namespace heddle

#endif
