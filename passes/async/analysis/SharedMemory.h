//===- SharedMemory.h - Variables in memory that all tasks see --*- C++ -*-===//
//
// VariableClasses sorts the loop-carried variables in registers. Some stay in
// memory: globals, variables whose address is known elsewhere, errno. For those
//
//  * commutative updates may happen in any order;
//  * what an iteration writes first and reads later is its own for that long:
//    UndisturbedStretches keeps other tasks away in between;
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
