//===- FreeOrder.h - Variables that any order may update --------*- C++ -*-===//
//
// A thread's output buffer has a counter or a pointer to its end, which
// iterations advance as they append. Such a variable is in a register by the
// time the loop is looked at, and a register is handed on from one iteration to
// the next, so that all that follows its first use would have to wait for its
// turn. But in a worksharing loop the order is free: put back into memory, the
// variable is read and written where an iteration appends, and only that is
// kept whole.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_ORDER_FREEORDER_H
#define HEDDLE_PASSES_ASYNC_ORDER_FREEORDER_H

#include "async/analysis/VariableClasses.h"

namespace llvm {
class AllocaInst;
} // namespace llvm

namespace heddle {

/// Puts those Ordered variables of \p C 's loop into memory that are computed
/// from their own former values, and whose order is free. Returns the variables
/// in memory. \p Classes are to be found anew if there are any.
llvm::SmallVector<llvm::AllocaInst *, 2>
freeOrder(const LoopContext &C, const LoopShape &Shape,
          const VariableClasses &Classes);

} // namespace heddle

#endif
