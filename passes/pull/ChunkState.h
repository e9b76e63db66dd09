//===- ChunkState.h - A thread's position in its chunk ----------*- C++ -*-===//
//
// The variables that EdgeChunks, which goes from row to row, shares with
// CutRows, which runs the part of a row that is in the chunk. They are allocas
// that are promoted to registers when the nest is rewritten.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_PULL_CHUNKSTATE_H
#define HEDDLE_PASSES_PULL_CHUNKSTATE_H

#include "ir/Registers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"

namespace heddle {

struct PullNest;

struct ChunkState {
  /// The piece that the run time keeps for a part of a row.
  llvm::StructType *PieceType;
  /// The variables that become registers in the end.
  llvm::SmallVector<llvm::AllocaInst *, 16> Registers;
  /// The fields of heddle_pull (runtime/pull/pull.h), but Row is the current
  /// one.
  llvm::AllocaInst *Row, *LastRow, *LowEdge, *HighEdge, *EdgesOfRows,
      *ContinuedRow, *DeferredRow, *SlotsAt;
  /// The current value of each of the outer loop's header phis.
  llvm::MapVector<llvm::PHINode *, llvm::AllocaInst *> Variables;
  /// The start values of the row's own accumulators in a continued row.
  llvm::SmallVector<llvm::AllocaInst *, 2> Carried;
  /// The block at which to continue after the row.
  llvm::BasicBlock *Advance;

  ChunkState(const PullNest &Nest, llvm::StructType *PieceType);
};

/// Returns the position where the edges of a row begin or end, in the form that
/// the run time compares.
llvm::Value *toEdge(llvm::IRBuilderBase &Builder, llvm::Value *V);

} // namespace heddle

#endif
