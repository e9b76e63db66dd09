//===- LoopForm.h - The form that analyses expect of a loop -----*- C++ -*-===//

#ifndef HEDDLE_PASSES_LOOP_LOOPFORM_H
#define HEDDLE_PASSES_LOOP_LOOPFORM_H

#include "loop/LoopContext.h"
#include "loop/LoopShape.h"

namespace heddle {

/// Brings \p C 's loop into simplified, rotated, closed SSA form.
void normalise(const LoopContext &C);

/// Gives each of \p Shape 's early exits, and its latch, a block behind the
/// loop that nothing else leads to, if there are early exits.
void separateExits(const LoopContext &C, LoopShape &Shape);

/// Makes the way out from the latch an early exit: another latch follows, which
/// counts iterations, up to the one that leaves the loop by an exit whose
/// number of iterations is known, or endlessly. False if that is not possible.
bool countIterations(const LoopContext &C);

/// The value of \p V, which the first iteration computes at its start, computed
/// in front of \p L instead; null if that is not possible.
llvm::Value *valueOnEntry(llvm::Value *V, const llvm::Loop &L);

} // namespace heddle

#endif
