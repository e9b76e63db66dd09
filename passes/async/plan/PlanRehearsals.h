//===- PlanRehearsals.h - Which code is run in advance ----------*- C++ -*-===//
//
// Where a suspension in front of an access would split an update, or come
// behind a task's turn, the code from the start of the update, or from the
// turn, is rehearsed.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_PLAN_PLANREHEARSALS_H
#define HEDDLE_PASSES_ASYNC_PLAN_PLANREHEARSALS_H

#include "async/plan/SuspensionPlan.h"

namespace heddle {

/// Adds the rehearsals to \p Plan that hide what it has dropped. \p Forbidden
/// says why tasks are not suspended in front of an instruction.
void planRehearsals(
    const LoopContext &C, const LoopFacts &Facts,
    const UninterruptedRegions &Regions,
    llvm::function_ref<std::optional<Obstacle>(const llvm::Instruction *)>
        Forbidden,
    SuspensionPlan &Plan);

} // namespace heddle

#endif
