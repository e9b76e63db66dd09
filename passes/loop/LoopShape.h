//===- LoopShape.h - Can the loop's iterations be tasks at all? -*- C++ -*-===//
//
// Checks the control flow and the contents of a marked loop, and finds its
// number of iterations.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_LOOP_LOOPSHAPE_H
#define HEDDLE_PASSES_LOOP_LOOPSHAPE_H

#include "ends/ProgramEnds.h"
#include "loop/Refusal.h"

namespace llvm {
class BasicBlock;
class BranchInst;
class CallBase;
class Loop;
class SCEV;
class ScalarEvolution;
} // namespace llvm

namespace heddle {

/// A way out of the loop from inside an iteration, such as a `break`.
struct EarlyExit {
  llvm::BasicBlock *From, *To;
};

struct LoopShape {
  llvm::Loop *L = nullptr;
  llvm::BasicBlock *Preheader = nullptr;
  llvm::BasicBlock *Latch = nullptr;
  /// The block that follows the loop.
  llvm::BasicBlock *Exit = nullptr;
  /// Code outside the loop in which iterations end the program.
  ProgramEnds::Blocks Ends;
  /// The ways out beside the latch that go on behind the loop.
  llvm::SmallVector<EarlyExit, 2> EarlyExits;
  /// The number of times that the latch branches back, computable in the
  /// preheader; null if it is known only after the loop has run.
  const llvm::SCEV *BackedgeCount = nullptr;

  llvm::BranchInst *latchBranch() const;
  /// True if the latch's condition being true means another iteration.
  bool continuesOnTrue() const;
  bool isLeftEarly() const { return !EarlyExits.empty(); }
};

/// How often the latch of \p L , which may leave the loop, goes back before it
/// does; or SCEVCouldNotCompute.
const llvm::SCEV *latchCount(const llvm::Loop &L, llvm::ScalarEvolution &SE);

/// Fills \p Shape for the loop \p L, which is in simplified and LCSSA form, or
/// says why it must be left alone. \p MayLeaveEarly says whether it may have
/// early exits.
MaybeRefusal analyzeShape(llvm::Loop &L, llvm::ScalarEvolution &SE,
                          LoopShape &Shape, bool MayLeaveEarly = false);

/// The effect on locks of \p Call, recognised by the name of a callee that is
/// only declared; CalleeUses finds what the others do.
enum class LockEffect { None, Acquire, Release };
LockEffect lockEffect(const llvm::CallBase &Call);

} // namespace heddle

#endif
