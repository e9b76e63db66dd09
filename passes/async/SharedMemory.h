//===- SharedMemory.h - Variables in memory that all tasks see --*- C++ -*-===//
//
// VariableClasses sorts the loop-carried variables in registers. Some stay in
// memory: globals, variables whose address is known elsewhere, errno. For those
//
//  * commutative updates may happen in any order;
//  * what an iteration writes first and reads later is its own for that long:
//    UndisturbedStretches keeps other tasks away in between;
//  * other updates have an order that only the user can give up or keep. In an
//    OpenMP worksharing loop that has been done: other threads take part.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_SHAREDMEMORY_H
#define HEDDLE_PASSES_ASYNC_SHAREDMEMORY_H

#include "async/TaskLocals.h"

namespace llvm {
class DominatorTree;
class ScalarEvolution;
} // namespace llvm

namespace heddle {

/// Refuses \p L if its iterations pass values on to each other through a
/// variable in memory that no clause names, unless OpenMP shares them out.
MaybeRefusal checkSharedMemory(const llvm::Loop &L, const Directive &D,
                               const TaskLocals &Locals,
                               const llvm::DominatorTree &DT,
                               llvm::ScalarEvolution &SE);

} // namespace heddle

#endif
