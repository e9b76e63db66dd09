//===- Inspector.h - Addresses computed from carried state ------*- C++ -*-===//
//
// An inner loop may find its data by state that it carries from iteration to
// iteration: an iterator that goes from chunk to chunk, a decoder of compressed
// rows. No formula gives the addresses of later iterations, but a copy of the
// loop in which only that state advances does: an inspector (J. Saltz, R.
// Mirchandaney, K. Crowley: Run-Time Parallelization and Scheduling of Loops,
// 1991), which runs a block of iterations ahead of the loop itself.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_PLAN_INSPECTOR_H
#define HEDDLE_PASSES_ASYNC_PLAN_INSPECTOR_H

#include "async/analysis/LatencyAnalysis.h"
#include "llvm/ADT/SetVector.h"

namespace llvm {
class BasicBlock;
class PostDominatorTree;
class Value;
} // namespace llvm

namespace heddle {

struct Inspector {
  /// The instructions of the loop that the copy repeats, branches included.
  llvm::SmallSetVector<llvm::Instruction *, 32> Repeated;
  /// The accesses whose addresses the copy computes.
  llvm::SmallVector<const Access *, 4> Found;
  /// For each block whose branch is not repeated, the block where the
  /// successors meet again.
  llvm::SmallDenseMap<const llvm::BasicBlock *, llvm::BasicBlock *> Joins;
  /// A repeated load that walks through memory step by step, and the address
  /// where it begins.
  struct Walk {
    const Access *Load;
    llvm::PHINode *Place;
    llvm::Value *Start;
  };
  llvm::SmallVector<Walk, 2> Walks;
};

/// Plans an inspector of \p C 's loop, an inner one, for the addresses of
/// \p Wanted, or of those that it can find without waiting for memory in each
/// iteration; nullopt if there are none.
std::optional<Inspector> planInspector(const LoopContext &C,
                                       llvm::ArrayRef<const Access *> Wanted,
                                       const LatencyAnalysis &Latency,
                                       const llvm::PostDominatorTree &PDT);

} // namespace heddle

#endif
