//===- RunAhead.h - Values that may be computed early -----------*- C++ -*-===//
//
// Requests for a block of an inner loop's iterations compute addresses before
// those iterations are reached. Prefetches do no harm, but the loads that yield
// the addresses must be allowed: `for (j = 0; j < 64 && s[j]; ++j) t[s[j]]` may
// end one byte in front of unmapped memory, and a pointer that a later
// iteration sets must not be followed before.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_PLAN_RUNAHEAD_H
#define HEDDLE_PASSES_ASYNC_PLAN_RUNAHEAD_H

#include "loop/LoopContext.h"
#include "llvm/ADT/SetVector.h"

namespace llvm {
class AAResults;
class Instruction;
class LoadInst;
class Loop;
} // namespace llvm

namespace heddle {

/// True if \p Slice, operands first, can be computed for iterations of \p C 's
/// loop that are not reached yet.
bool canRunAhead(const llvm::SetVector<llvm::Instruction *> &Slice,
                 const LoopContext &C);

/// True if one iteration of \p Inner may write to the memory that \p Load reads
/// in another one.
bool changes(const llvm::Loop &Inner, const llvm::LoadInst &Load,
             llvm::AAResults &AA);

/// True if \p Load, in an iteration of \p Inner, yields the same at \p To,
/// which dominates it.
bool mayMoveUp(const llvm::LoadInst *Load, const llvm::Instruction *To,
               const llvm::Loop &Inner);

/// True if nothing in \p Inner may end the program or be a precondition of
/// later accesses, such as an allocation.
bool alwaysGoesOn(const llvm::Loop &Inner);

} // namespace heddle

#endif
