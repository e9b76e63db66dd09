//===- WithoutWaiting.h - Requests without suspension -----------*- C++ -*-===//
//
// Two kinds of requests need no suspension: those whose addresses follow from
// the iteration's number, which can be made long before the iteration starts,
// and those that are the same for all tasks, such as the root of a tree, whose
// lines the first task brings in for the others.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_PLAN_WITHOUTWAITING_H
#define HEDDLE_PASSES_ASYNC_PLAN_WITHOUTWAITING_H

#include "async/plan/SuspensionPlan.h"

namespace heddle {

/// Issues the requests of \p P early and plans the slices for that, if their
/// addresses follow from the number of the iteration, and every task reaches
/// \p P, except tasks for which it would request nothing. Returns true if they
/// are issued early.
bool makeEarly(SuspensionPoint &P, const LoopContext &C,
               const LoopFacts &Facts);

/// Returns the loop inside \p C 's that contains \p P, if the requests of its
/// first iteration are the same for all tasks; or null.
const llvm::Loop *sameOnEntry(const SuspensionPoint &P, const LoopContext &C);

} // namespace heddle

#endif
