//===- SharedMemory.h - Variables in memory that tasks share ----*- C++ -*-===//
//
// VariableClasses classifies the loop-carried variables in registers. Some
// variables stay in memory: globals, variables whose address escapes, errno.
// For those
//
//  * commutative updates may happen in any order;
//  * between the write of a variable and its read in the same iteration, no
//    other task runs (UninterruptedRegions);
//  * other accesses happen in iteration order.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_ANALYSIS_SHAREDMEMORY_H
#define HEDDLE_PASSES_ASYNC_ANALYSIS_SHAREDMEMORY_H

#include "async/analysis/TaskLocals.h"
#include "loop/LoopContext.h"

namespace heddle {

/// The accesses in \p C 's loop to variables in memory, named in no clause,
/// that must happen in iteration order.
llvm::SmallVector<llvm::Instruction *>
findOrderedAccesses(const LoopContext &C, const Directive &D,
                    const TaskLocals &Locals);

} // namespace heddle

#endif
