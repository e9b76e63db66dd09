//===- LeanFrames.h - What frames need not hold -----------------*- C++ -*-===//
//
// Prepares the code of recursive callees, which are about to get frames of
// their own (NestedFrames.h), so that less is live across their recursive calls
// and less has to be waited for behind them:
//
// - what follows from values outside the code is computed there, once;
// - what follows cheaply from one other value is computed again behind the call
//   where it is used, such as addresses of fields of a node;
// - what lies in a line that the same activation has accessed before does not
//   wait. Between the two accesses it has only visited what is below.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_NEST_LEANFRAMES_H
#define HEDDLE_PASSES_NEST_LEANFRAMES_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class AllocaInst;
class BasicBlock;
} // namespace llvm

namespace heddle {

/// Prepares \p Blocks, which are entered from \p Before and continue at
/// \p Behind after recursive calls. The addresses of \p Locals are others in
/// each frame. An address that is less than \p LineBytes
/// away from another is taken to be in its line.
void leanFrames(llvm::ArrayRef<llvm::BasicBlock *> Blocks,
                llvm::BasicBlock &Before,
                llvm::ArrayRef<llvm::BasicBlock *> Behind,
                llvm::ArrayRef<llvm::AllocaInst *> Locals, unsigned LineBytes);

} // namespace heddle

#endif
