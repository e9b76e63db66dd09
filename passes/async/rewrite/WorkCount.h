//===- WorkCount.h - How much an iteration has to do ------------*- C++ -*-===//
//
// Iterations of a loop over a graph differ a thousandfold in cost, so the time
// of a chunk says little about the version that ran it. Where an iteration has
// an inner loop that goes by a counter, along a row of a matrix say, its
// iterations are added up for the site tuner, which compares versions by the
// time for a unit of work. Where their number is known when the inner loop
// begins, that is one addition.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_REWRITE_WORKCOUNT_H
#define HEDDLE_PASSES_ASYNC_REWRITE_WORKCOUNT_H

#include "async/rewrite/TaskBody.h"

namespace heddle {

/// Makes \p L count the iterations of its inner loops in a register; null if
/// there are none to count. Before the task body.
llvm::AllocaInst *countInnerIterations(llvm::Loop &L, llvm::ScalarEvolution &SE,
                                       SchedulerState &State);

} // namespace heddle

#endif
