//===- TaskLocals.h - Stack variables that are one iteration's --*- C++ -*-===//
//
// A variable declared in the loop's body is one alloca of the function, which
// the iterations use in turn. Tasks that are in flight together need one each.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_ANALYSIS_TASKLOCALS_H
#define HEDDLE_PASSES_ASYNC_ANALYSIS_TASKLOCALS_H

#include "loop/Refusal.h"
#include "mark/Directive.h"
#include "llvm/ADT/SetVector.h"

namespace llvm {
class AllocaInst;
class Loop;
} // namespace llvm

namespace heddle {

/// Stack variables of which each task has a copy of its own, which no other
/// task sees.
using TaskLocals = llvm::SmallSetVector<const llvm::AllocaInst *, 4>;

/// Finds the variables that only the body of \p L uses, and those of private
/// clauses. Addresses into them that were computed in front of the loop, as
/// code motion leaves them, are computed in the loop again. Refuses a private
/// clause for what is not a local variable.
MaybeRefusal findTaskLocals(llvm::Loop &L, const Directive &D,
                            TaskLocals &Locals);

/// Makes the variables that \p L uses, but which are no task locals, exist
/// throughout the function: where an iteration ends another may still need
/// them.
void extendLifetimes(const llvm::Loop &L, const TaskLocals &Locals);

} // namespace heddle

#endif
