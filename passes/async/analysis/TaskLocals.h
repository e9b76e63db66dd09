//===- TaskLocals.h - Stack variables of one iteration ----------*- C++ -*-===//
//
// A variable declared in the loop's body is one alloca of the function, which
// the iterations use one after the other. Tasks in flight need a copy each.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_ANALYSIS_TASKLOCALS_H
#define HEDDLE_PASSES_ASYNC_ANALYSIS_TASKLOCALS_H

#include "loop/Refusal.h"
#include "mark/Directive.h"
#include "llvm/ADT/SetVector.h"

namespace llvm {
class AllocaInst;
class BasicBlock;
class Loop;
} // namespace llvm

namespace heddle {

/// Variables on the stack, copied for each task.
using TaskLocals = llvm::SmallSetVector<const llvm::AllocaInst *, 4>;

/// Finds the variables that only the body of \p L and \p Ends, in which its
/// iterations end the program, use, and the variables of private clauses.
/// Addresses into them that code motion has moved out of the loop are computed
/// in the loop again. Refuses a private clause that names anything but a local
/// variable.
MaybeRefusal findTaskLocals(llvm::Loop &L, const Directive &D,
                            TaskLocals &Locals,
                            llvm::ArrayRef<llvm::BasicBlock *> Ends = {});

/// The bytes that \p Locals take in each task.
uint64_t bytesOf(const TaskLocals &Locals);

/// Extends the lifetimes of the other variables that \p L uses to the whole
/// function: one task may still use a variable when another ends.
void extendLifetimes(const llvm::Loop &L, const TaskLocals &Locals);

} // namespace heddle

#endif
