//===- SharedVariables.h - Updates of variables that tasks share *- C++ -*-===//
//
// A reduction is one register that every task updates when it reaches the
// update, in any order.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_REWRITE_TASK_SHAREDVARIABLES_H
#define HEDDLE_PASSES_ASYNC_REWRITE_TASK_SHAREDVARIABLES_H

#include "async/analysis/VariableClasses.h"
#include "async/rewrite/SchedulerState.h"
#include "async/rewrite/TaskBody.h"
#include "loop/LoopShape.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace heddle {

/// Makes every update of \p V , a Shared variable, read and write its register
/// in \p State . \p Map maps values and blocks of the loop to those in \p Body
/// .
void rewriteShared(const LoopVariable &V, const LoopShape &Shape,
                   llvm::ValueToValueMapTy &Map, const SchedulerState &State,
                   TaskBody &Body);

} // namespace heddle

#endif
