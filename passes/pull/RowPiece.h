//===- RowPiece.h - The result of a part of a row ---------------*- C++ -*-===//
//
// A row that is cut leaves what each part of it has combined in memory, for the
// run time to put together (runtime/pull/pull.h): a field for each of the row's
// own accumulators, and behind a first writer's value whether it was written.
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

/// A piece of a row of \p Nest. Has a field even where nothing is the row's
/// own.
llvm::StructType *pieceTypeOf(const PullNest &Nest);

/// A piece that changes nothing it is combined with.
llvm::Constant *createIdentityPiece(const PullNest &Nest,
                                    llvm::StructType *PieceType);

/// void (ptr into, ptr piece), which adds a later piece to an earlier one.
llvm::Function *createCombinePieces(const PullNest &Nest,
                                    llvm::StructType *PieceType);

} // namespace heddle

#endif
