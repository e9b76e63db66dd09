//===- WholeRows.h - Copies of a nest for whole rows ------------*- C++ -*-===//
//
// Nearly all rows of a chunk are whole. They run as before, without checking
// which of their edges are in the chunk, in copies of the nest. One of the
// copies is for short rows.
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

/// Returns the number of iterations of the inner loop for the current row, in
/// front of it; null if that is not known or a kernel has replaced the loop.
/// The nest must still be unchanged.
llvm::Value *countIterations(const PullNest &Nest, llvm::ScalarEvolution &SE);

/// Copies the loop over rows, up to \p Next. \p Iterations is the result of
/// countIterations.
void copyForWholeRows(const PullNest &Nest, const ChunkState &State,
                      llvm::BasicBlock *Next, llvm::Value *Iterations);

} // namespace heddle

#endif
