//===- PlannedExpressions.h - Expressions computed early --------*- C++ -*-===//
//
// The start of a stream and the trip count of an inner loop are expressions
// over values of the inner loop's preheader, and a link that is read early is a
// load of a field. They are expanded in the original loop and cloned into the
// task from there.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_REWRITE_TASK_PLANNEDEXPRESSIONS_H
#define HEDDLE_PASSES_ASYNC_REWRITE_TASK_PLANNEDEXPRESSIONS_H

#include "async/plan/SuspensionPlan.h"

namespace heddle {

struct PlannedExpressions {
  /// The addresses of requests that have a Start or a Link.
  llvm::DenseMap<const Request *, llvm::Value *> Addresses;
  /// The numbers of iterations of the inner loops without an inspector.
  llvm::DenseMap<const BlockedLoop *, llvm::Value *> BlockedCounts;
  /// The end of the last of consecutive rows.
  llvm::Value *EndOfRows = nullptr;
};

/// Makes the expressions of \p Plan in the loop. Adds to \p Classes the
/// induction variables that come up with them.
PlannedExpressions expandPlan(const LoopContext &C, const LoopShape &Shape,
                              const SuspensionPlan &Plan,
                              VariableClasses &Classes);

} // namespace heddle

#endif
