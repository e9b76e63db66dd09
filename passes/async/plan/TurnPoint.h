//===- TurnPoint.h - Where tasks wait for their turn ------------*- C++ -*-===//
//
// A task may use variables that are updated in iteration order only when all
// earlier tasks have retired. So there is one point in the body, passed once an
// iteration and in front of all such uses, where tasks wait for their turn.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_PLAN_TURNPOINT_H
#define HEDDLE_PASSES_ASYNC_PLAN_TURNPOINT_H

#include "async/analysis/LoopFacts.h"
#include <string>

namespace heddle {

/// Returns the point, in every iteration, in front of the first use of an
/// Ordered variable (or of one in a sequential clause); null if there is none.
/// Sets \p Name to the variable that is used there.
llvm::Instruction *findTurnPoint(const LoopContext &C, const LoopFacts &Facts,
                                 std::string &Name);

} // namespace heddle

#endif
