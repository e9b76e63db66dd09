//===- LeanFrames.h - What frames need not hold -----------------*- C++ -*-===//
//
// Prepares the code of recursive callees, which are about to get frames of
// their own (NestedFrames.h), so that less is live across their recursive calls
// and less has to be waited for behind them:
//
// - what follows from values outside the code is computed there, once;
// - what follows cheaply from one other value is computed again behind the call
//   where it is used, such as addresses of fields of a node;
// - what lies in a line that the same activation has accessed before, or a call
//   that it has made, does not wait. Between the two accesses it has only
//   visited what is below;
// - what is read in front of a call for the time behind it, is read behind it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_NEST_LEANFRAMES_H
#define HEDDLE_PASSES_NEST_LEANFRAMES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class AllocaInst;
class BasicBlock;
class CallInst;
class Instruction;
class Value;
} // namespace llvm

namespace heddle {

/// An object that a recursive call accesses first, at so many bytes from an
/// address that it is given.
struct Visit {
  llvm::CallInst *Call;
  llvm::Value *Address;
  int64_t Offset;
  llvm::Instruction *First;
};

/// Moves reads in front of \p Call, and what is computed from them, to \p
/// Behind, where the code goes on, if only the code there needs them and the
/// callee writes nothing.
void readBehind(llvm::CallInst &Call, llvm::BasicBlock &Behind);

/// The code of functions that call each other recursively.
struct RecursiveCode {
  llvm::ArrayRef<llvm::BasicBlock *> Blocks;
  /// From where it is entered, and where it goes on after recursive calls.
  llvm::BasicBlock &Before;
  llvm::SmallVector<llvm::BasicBlock *> Behind;
  llvm::SmallVector<Visit> Visits;
  /// Variables whose addresses are others in each frame.
  llvm::SmallVector<llvm::AllocaInst *> Locals;
  /// The addresses of objects that are no larger than a cache line.
  llvm::SmallPtrSet<const llvm::Value *, 4> SmallObjects;
};

/// Prepares \p Code. An address that is less than \p LineBytes away from
/// another is taken to be in its line.
void leanFrames(const RecursiveCode &Code, unsigned LineBytes);

} // namespace heddle

#endif
