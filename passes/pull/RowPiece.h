//===- RowPiece.h - The result of a part of a row ---------------*- C++ -*-===//
//
// A row that is cut leaves the combined values of each part in memory, for the
// run time to merge (runtime/pull/pull.h): a field for each of the row's own
// accumulators, and behind a first writer's value whether it was written.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_PULL_ROWPIECE_H
#define HEDDLE_PASSES_PULL_ROWPIECE_H

namespace llvm {
class Constant;
class Function;
class StructType;
} // namespace llvm

namespace heddle {

struct PullNest;

/// Returns the type of a piece of a row of \p Nest. It has a field even if no
/// accumulator is the row's own.
llvm::StructType *pieceTypeOf(const PullNest &Nest);

/// Creates a piece that leaves every piece it is combined with unchanged.
llvm::Constant *createIdentityPiece(const PullNest &Nest,
                                    llvm::StructType *PieceType);

/// void (ptr into, ptr piece), which adds a later piece to an earlier one.
llvm::Function *createCombinePieces(const PullNest &Nest,
                                    llvm::StructType *PieceType);

} // namespace heddle

#endif
