//===- ContextMemory.h - Memory for the contexts of tasks -------*- C++ -*-===//
//
// The contexts of all tasks would fill the stack of a small thread, or that of
// a deep recursion. They are in memory of the thread's own, which a loop has
// while it runs tasks. The runtime keeps some for each thread
// (runtime/tuner/contexts.h); without it, functions that are emitted into the
// module get it from malloc. Both refuse where loops are nested or recursive
// beyond a bound; the loop then runs serially.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_SCHEDULES_CONTEXTMEMORY_H
#define HEDDLE_PASSES_ASYNC_SCHEDULES_CONTEXTMEMORY_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class AllocaInst;
class BasicBlock;
class Module;
class Value;
} // namespace llvm

namespace heddle {

/// Emits code that gets the memory in front of \p Before, and moves \p Arrays
/// from the stack to it. \p Begin lists the first blocks of the code that uses
/// the arrays; it ends at \p End, which gives the memory back. Returns the
/// pointer to the memory, which is null if there is none.
llvm::Value *moveToContextMemory(llvm::ArrayRef<llvm::AllocaInst *> Arrays,
                                 llvm::BasicBlock &Before,
                                 llvm::ArrayRef<llvm::BasicBlock *> Begin,
                                 llvm::BasicBlock &End);

/// Once values are in registers again: reads pointers from \p Memory as
/// integers if some may lead to variables of the file. LLVM finds out which of
/// these have no address in memory before tasks save addresses there, and takes
/// pointers from memory to lead elsewhere.
void hidePointers(llvm::Value &Memory);

} // namespace heddle

#endif
