//===- CutRows.h - The part of a row that is in the chunk -------*- C++ -*-===//
//
// Rewrites the body of a row, so that only its edges from LowEdge to HighEdge
// run. Before:
//
//     header -> edges -> rest of the row
//
// After:
//
//     header -> edges -> ended -> rest of the row
//                          |
//                        defer -> advance
//
// `ended` asks whether the row is whole; the piece of one that is not goes to
// its slot. A row that began in an earlier chunk starts from the identity, or,
// when it is merged, from the combination of its pieces, with none of its edges
// left to run; the code before its edges has been run.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_PULL_CUTROWS_H
#define HEDDLE_PASSES_PULL_CUTROWS_H

namespace llvm {
class ScalarEvolution;
class Value;
} // namespace llvm

namespace heddle {

struct ChunkState;
struct PullNest;

/// Returns the number of edges of the current row, if Begin and End of \p Nest
/// give only the number of edge vectors; else null. The nest must still be
/// unchanged.
llvm::Value *countRowEdges(const PullNest &Nest, llvm::ScalarEvolution &SE);

/// Rewrites the nest. \p RowEdges is the result of countRowEdges.
void cutRows(PullNest &Nest, const ChunkState &State, llvm::Value *RowEdges,
             llvm::ScalarEvolution &SE);

} // namespace heddle

#endif
