//===- Order.h - Accesses that keep the order of iterations -----*- C++ -*-===//
//
// What the compiler keeps in the order of iterations, or gives each iteration
// its own of, is no conflict: variables in registers, variables of the body,
// and accesses of the loop itself to variables at an address that is the same
// in all iterations (async/analysis: VariableClasses, TaskLocals,
// SharedMemory).
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_CHECK_ORDER_H
#define HEDDLE_PASSES_CHECK_ORDER_H

namespace llvm {
class AllocaInst;
class CallBase;
class Loop;
class Value;
} // namespace llvm

namespace heddle {

/// True if \p Address, which \p L loads from or stores to, is the same in all
/// iterations, and the compiler sees that.
bool isFixedInLoop(const llvm::Value *Address, const llvm::Loop &L);

/// True if \p Variable is declared in the body of \p L, as far as that is
/// known, or used there only.
bool isOfIteration(const llvm::AllocaInst &Variable, const llvm::Loop &L);

/// True if the threads of OpenMP share the iterations of \p L: they keep no
/// order.
bool isWorkshared(const llvm::Loop &L);

/// True if \p Call, in a worksharing loop, may hand an object of the thread to
/// a function: anything but what the parallel region captures.
bool mayPassObjectOfThread(const llvm::CallBase &Call);

} // namespace heddle

#endif
