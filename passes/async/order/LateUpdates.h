//===- LateUpdates.h - Ordered variables used as late as possible -*- C++ -*-=//
//
// A task waits for its turn in front of the first use of an Ordered variable,
// and is not suspended behind it. In `hash = hash * 31 + table[i]` the product
// may be in front of the load, so that the task would wait too early. So
// computations with Ordered variables move down to where their results are
// used.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_ORDER_LATEUPDATES_H
#define HEDDLE_PASSES_ASYNC_ORDER_LATEUPDATES_H

#include "async/analysis/VariableClasses.h"

namespace heddle {

/// Moves computations with \p I down to where their results are used.
void delayUsers(const LoopContext &C, llvm::Instruction &I);

/// Moves the computations with Ordered variables of \p C 's loop down to their
/// uses.
void delayUpdates(const LoopContext &C, const VariableClasses &Classes);

} // namespace heddle

#endif
