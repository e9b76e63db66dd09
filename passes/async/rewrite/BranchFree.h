//===- BranchFree.h - Fewer branches in a task's segments -------*- C++ -*-===//
//
// A branch on a value that has just come from memory is mispredicted as often
// as the data is random, and each misprediction throws away the work on the
// tasks behind it. If few instructions depend on such a branch, both sides are
// executed without it:
//
//   if (node->key == key)         p = node->key == key ? &node->val : &zero
//     sum += node->val;      =>   sum = node->key == key ? sum + *p : sum
//
// Loads under the condition read a harmless address when it does not hold. A
// branch whose sides are the ends of a segment gets empty sides, for schedules
// that can append and retire without branching.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_REWRITE_BRANCHFREE_H
#define HEDDLE_PASSES_ASYNC_REWRITE_BRANCHFREE_H

#include "async/rewrite/SchedulerState.h"
#include "async/rewrite/TaskBody.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace heddle {

/// The exits of one segment.
struct SegmentEnds {
  /// Tasks that go here are suspended.
  llvm::SmallPtrSet<const llvm::BasicBlock *, 8> Resumes;
  /// Tasks that go here retire.
  const llvm::BasicBlock *Retire;
  /// True for the registers that matter to a suspended task only.
  llvm::function_ref<bool(const llvm::Value *)> IsPrivate;
};

/// In \p Blocks, the blocks of a segment: if both sides of a branch on a value
/// from memory end the segment, moves all instructions on the sides in front of
/// the branch.
void emptyEnds(llvm::ArrayRef<llvm::BasicBlock *> Blocks,
               const SegmentEnds &Ends, SchedulerState &State);

/// Removes dead instructions and data-dependent branches from \p Body.
void makeBranchFree(TaskBody &Body, SchedulerState &State);

} // namespace heddle

#endif
