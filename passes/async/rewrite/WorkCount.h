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

#include "async/rewrite/SchedulerState.h"
#include "loop/LoopContext.h"

namespace heddle {

/// How the iterations of an inner loop are counted.
struct InnerCount {
  llvm::Loop *Inner;
  /// How often it branches back, known in its preheader; null if each iteration
  /// is counted where it ends.
  const llvm::SCEV *BackedgeCount;
};

/// How the iterations of the loops in \p C 's are counted, of those that can
/// be.
llvm::SmallVector<InnerCount, 2> findInnerCounts(const LoopContext &C);

/// Makes \p C 's loop count them in State.Work. Before the task body.
void countInnerIterations(llvm::ArrayRef<InnerCount> Counts,
                          const LoopContext &C, const SchedulerState &State);

} // namespace heddle

#endif
