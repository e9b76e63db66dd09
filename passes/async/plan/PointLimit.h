//===- PointLimit.h - Fewer suspension points -------------------*- C++ -*-===//
//
// Each suspension point has a copy of the code up to the next ones, for each
// schedule. A loop with dozens of places that wait, a decision forest perhaps,
// would become too large, so it gets fewer points: requests move to earlier
// points at which their addresses are known, and where that is not enough, the
// least worthwhile accesses wait.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_PLAN_POINTLIMIT_H
#define HEDDLE_PASSES_ASYNC_PLAN_POINTLIMIT_H

#include "async/plan/SuspensionPlan.h"

namespace heddle {

/// Leaves at most \p Most suspension points in \p Plan, fewer if the code
/// between them is long, and at least those that the order of updates needs;
/// tasks can be suspended where \p MayWaitAt is true. What is left out is among
/// Plan.Dropped then.
void limitPoints(SuspensionPlan &Plan, unsigned Most, const LoopContext &C,
                 llvm::function_ref<bool(const llvm::Instruction *)> MayWaitAt);

} // namespace heddle

#endif
