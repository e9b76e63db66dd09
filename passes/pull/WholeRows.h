//===- WholeRows.h - Copies of a nest for whole rows ------------*- C++ -*-===//
//
// Nearly all rows of a chunk are whole. They run as they did, without asking
// which of their edges are in the chunk, in copies of the nest of which one is
// for short rows.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_PULL_WHOLEROWS_H
#define HEDDLE_PASSES_PULL_WHOLEROWS_H

namespace llvm {
class BasicBlock;
class ScalarEvolution;
class Value;
} // namespace llvm

namespace heddle {

struct ChunkState;
struct PullNest;

/// Returns how often the inner loop runs for the row at hand, in front of it;
/// null if that is not known or a kernel has replaced the loop. The nest must
/// still be as it was.
llvm::Value *countIterations(const PullNest &Nest, llvm::ScalarEvolution &SE);

/// Copies what goes from row to row, up to \p Next. \p Iterations is what
/// countIterations said.
void copyForWholeRows(const PullNest &Nest, const ChunkState &State,
                      llvm::BasicBlock *Next, llvm::Value *Iterations);

} // namespace heddle

#endif
