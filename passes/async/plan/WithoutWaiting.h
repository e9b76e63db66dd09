//===- WithoutWaiting.h - Requests without suspension -----------*- C++ -*-===//
//
// Two kinds of requests need no suspension: those whose addresses follow from
// the iteration's number, which can be made long before the iteration starts,
// and those that are the same for all tasks, as the root of a tree, whose lines
// the first task brings in for the others.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_PLAN_WITHOUTWAITING_H
#define HEDDLE_PASSES_ASYNC_PLAN_WITHOUTWAITING_H

#include "async/plan/SuspensionPlan.h"

namespace heddle {

/// Makes \p P 's requests early, with the slices for that, if what they are for
/// follows from the number of the iteration, and every task comes to \p P , or
/// every one for which it requests anything. Returns whether they are.
bool makeEarly(SuspensionPoint &P, const LoopContext &C,
               const LoopFacts &Facts);

/// The loop inside \p C 's that \p P is in, if its requests of the first round
/// depend on nothing that differs between tasks; or null.
const llvm::Loop *sameOnEntry(const SuspensionPoint &P, const LoopContext &C);

} // namespace heddle

#endif
