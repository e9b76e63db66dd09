//===- RunsAhead.h - Code of iterations that may not be reached -*- C++ -*-===//
//
// In a loop that may be left early, an iteration begins although an earlier one
// may leave the loop. Until all earlier ones have gone on, it may only do what
// nobody sees and what cannot fail: compute, read memory that is there for
// certain, and write to its own variables. What else it does waits for its
// turn.
//
// Memory is there if an iteration that has had its turn has read the page, or
// pages of the same array on both sides. So tasks may read an array that begins
// at an address which all of them share, if they compare the address with the
// bounds of what has been read.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_ORDER_RUNSAHEAD_H
#define HEDDLE_PASSES_ASYNC_ORDER_RUNSAHEAD_H

#include "async/analysis/TaskLocals.h"
#include "loop/LoopContext.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class Instruction;
class LoadInst;
class Value;
} // namespace llvm

namespace heddle {

/// The array that \p Address leads into, given by the pointer from which the
/// address is computed in code that \p IsInside; null if there is not one such
/// pointer. \p Trusted says that the address is known to stay in the array.
llvm::Value *
arrayOf(llvm::Value *Address,
        llvm::function_ref<bool(const llvm::Instruction *)> IsInside,
        bool Trusted = false);

/// True if the memory of \p Load exists while the function runs.
bool isThereForCertain(const llvm::LoadInst &Load);

/// True if \p I is a division that fails for some divisors.
bool mayDivideByZero(const llvm::Instruction &I);

/// True if tasks whose turn has not come may execute \p I, of \p C 's loop, as
/// far as reads and divisions are guarded.
bool mayRunAhead(const llvm::Instruction &I, const LoopContext &C,
                 const TaskLocals &Locals);

} // namespace heddle

#endif
