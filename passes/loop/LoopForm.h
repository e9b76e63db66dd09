//===- LoopForm.h - The form that analyses expect of a loop -----*- C++ -*-===//

#ifndef HEDDLE_PASSES_LOOP_LOOPFORM_H
#define HEDDLE_PASSES_LOOP_LOOPFORM_H

#include "loop/LoopContext.h"

namespace heddle {

/// Brings \p C 's loop into simplified, rotated, closed SSA form.
void normalise(const LoopContext &C);

/// The value of \p V, which the first iteration computes at its start, computed
/// in front of \p L instead; null if that is not possible.
llvm::Value *valueOnEntry(llvm::Value *V, const llvm::Loop &L);

} // namespace heddle

#endif
