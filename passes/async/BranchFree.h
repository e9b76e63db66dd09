//===- BranchFree.h - Fewer branches in a task's segments -------*- C++ -*-===//
//
// A branch on a value that has just come from memory is mispredicted as often
// as the data is random, and each misprediction throws away the work on the
// tasks behind it. Where little hangs on such a branch, both sides are done
// without it:
//
//   if (node->key == key)         p = node->key == key ? &node->val : &zero
//     sum += node->val;      =>   sum = node->key == key ? sum + *p : sum
//
// Loads under the condition read a harmless place when it does not hold.
// A branch whose sides are the ends of a segment is left for the schedule, with
// empty sides, so that it can append and retire without branching.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_BRANCHFREE_H
#define HEDDLE_PASSES_ASYNC_BRANCHFREE_H

#include "async/TaskBody.h"

namespace heddle {

/// Removes dead instructions and data-dependent branches from \p Body.
void makeBranchFree(TaskBody &Body, SchedulerState &State);

} // namespace heddle

#endif
