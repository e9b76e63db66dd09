//===- Inspector.h - Addresses that follow from carried state ---*- C++ -*-===//
//
// An inner loop may find its data by state that it carries from iteration to
// iteration: an iterator that goes from chunk to chunk, a decoder of compressed
// rows. No formula gives the addresses of iterations to come, but a copy of the
// loop does in which nothing but that state advances: an inspector (J. Saltz,
// R. Mirchandaney, K. Crowley: Run-Time Parallelization and Scheduling of
// Loops, 1991), which runs a block of iterations ahead of the loop itself.
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
  /// For each block whose branch is not repeated, the block where its
  /// successors meet again.
  llvm::SmallDenseMap<const llvm::BasicBlock *, llvm::BasicBlock *> Joins;
  /// A repeated load that goes through memory step by step, and where it
  /// begins.
  struct Walk {
    const Access *Load;
    llvm::PHINode *Place;
    llvm::Value *Start;
  };
  llvm::SmallVector<Walk, 2> Walks;
};

/// An inspector of \p C 's loop, an inner one, that finds what \p Wanted
/// access, or as much as can be found by it without waiting for memory in each
/// iteration; null if nothing can.
std::optional<Inspector> planInspector(const LoopContext &C,
                                       llvm::ArrayRef<const Access *> Wanted,
                                       const LatencyAnalysis &Latency,
                                       const llvm::PostDominatorTree &PDT);

} // namespace heddle

#endif
