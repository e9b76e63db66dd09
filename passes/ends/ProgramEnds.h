//===- ProgramEnds.h - Ways out of loops that end the program ---*- C++ -*-===//

#ifndef HEDDLE_PASSES_ENDS_PROGRAMENDS_H
#define HEDDLE_PASSES_ENDS_PROGRAMENDS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
class InvokeInst;
class Loop;
} // namespace llvm

namespace heddle {

/// What becomes of control that leaves a loop.
enum class WayOut {
  /// It gets to code that does not belong to an iteration.
  GoesOn,
  /// Every way ends the program, by a call that does not return or by an
  /// exception that leaves the function.
  Ends,
  /// An exception is on its way through the function, and nothing in the
  /// function catches it.
  Unwinds,
};

/// Finds out where control gets from a block without leaving the function by an
/// exception. Valid while the function stays as it is, but for new blocks.
class ProgramEnds {
  /// The blocks from which a return is reached.
  llvm::SmallPtrSet<const llvm::BasicBlock *, 32> Returning;
  llvm::DenseMap<const llvm::Function *, bool> Jumping;

public:
  using Blocks = llvm::SetVector<llvm::BasicBlock *>;

  explicit ProgramEnds(const llvm::Function &F);

  /// Where control goes that leaves \p L for \p To. Adds the blocks that it
  /// passes to \p Passed if it does not go on.
  WayOut wayOut(llvm::BasicBlock &To, const llvm::Loop &L,
                Blocks *Passed = nullptr);

private:
  bool mayJump(const llvm::Instruction &I);
  bool mayJump(const llvm::Function &F);
};

/// The successors of \p Block, without those that only exceptions lead to.
llvm::SmallVector<llvm::BasicBlock *, 2>
ordinarySuccessors(const llvm::BasicBlock &Block);

/// True if \p Call, which does not return, may throw: the code around the call
/// may catch it and see what the function has done before. What lies more than
/// a few calls below is taken not to.
bool mayEndByThrowing(const llvm::CallBase &Call);

/// True if \p Block is the landing pad of exceptions that end the program, and
/// does nothing else.
bool isTerminatePad(const llvm::BasicBlock &Block);

/// Returns the beginning of a handler that catches exceptions which land in
/// \p Pad; null if there is none.
const llvm::Instruction *handlerBehind(llvm::BasicBlock &Pad);

/// The call from which an exception is on its way at the end of \p Block, after
/// handlers in \p L have been found not to catch it; null if there is none.
const llvm::InvokeInst *unwindingFrom(const llvm::BasicBlock &Block,
                                      const llvm::Loop &L);

} // namespace heddle

#endif
