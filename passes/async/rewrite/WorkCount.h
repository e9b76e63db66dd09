//===- WorkCount.h - The amount of work of an iteration ---------*- C++ -*-===//
//
// Iterations of a loop over a graph differ a thousandfold in cost, so the time
// of a chunk says little about the version that ran it. If an iteration has an
// inner loop with a counter, along a row of a matrix say, the inner iterations
// are added up for the site tuner, which compares versions by the time for a
// unit of work.
//
// If their number is known when the inner loop begins, that is one addition.
// Otherwise tasks count each of them, so that nothing more is kept while they
// are suspended, but the serial version subtracts the counter's values at the
// begin and at the end of the inner loop, whose code stays as it is.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_REWRITE_WORKCOUNT_H
#define HEDDLE_PASSES_ASYNC_REWRITE_WORKCOUNT_H

#include "async/rewrite/SchedulerState.h"
#include "loop/LoopContext.h"

namespace heddle {

/// The way in which the iterations of an inner loop are counted.
struct InnerCount {
  llvm::Loop *Inner;
  /// The number of times that it branches back, known in its preheader; null if
  /// each iteration is counted at its end.
  const llvm::SCEV *BackedgeCount;
  /// If each is counted: a variable that advances by `Step` with it.
  llvm::PHINode *Counter = nullptr;
  int64_t Step = 0;
  /// ... and where that is done.
  llvm::StoreInst *Counted = nullptr;
};

using InnerCounts = llvm::SmallVector<InnerCount, 2>;

/// Returns the counts of the loops inside \p C 's loop that can be counted.
InnerCounts findInnerCounts(const LoopContext &C);

/// Makes \p C 's loop count them in State.Work. Before the task body is copied
/// from it.
void countInnerIterations(InnerCounts &Counts, const LoopContext &C,
                          const SchedulerState &State);

/// Frees the loop itself, which is now the serial version, from counting each
/// iteration of an inner loop.
void countAtExits(const InnerCounts &Counts, const LoopContext &C,
                  const SchedulerState &State);

} // namespace heddle

#endif
