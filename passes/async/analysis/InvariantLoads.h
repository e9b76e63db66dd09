//===- InvariantLoads.h - Variables the loop does not change ----*- C++ -*-===//
//
// OpenMP outlining passes captured variables by reference and keeps loop bounds
// in memory, and an atomic in the body makes every such variable look as if
// each iteration might change it. But iterations are independent: none reads
// what another wrote to a variable. So a plain variable that the body does not
// assign by name has one value while the loop runs, and its loads move to the
// preheader. Loads of variables that a callee may change stay in the loop (an
// iteration may call a function and then read errno), except variables captured
// by an OpenMP region, which all threads read.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_ANALYSIS_INVARIANTLOADS_H
#define HEDDLE_PASSES_ASYNC_ANALYSIS_INVARIANTLOADS_H

#include "async/analysis/TaskLocals.h"
#include "loop/LoopContext.h"
#include "loop/LoopShape.h"

namespace heddle {

/// Hoists loads of variables out of \p C 's loop. Leaves alone atomic and
/// volatile loads, variables in \p D's clauses and \p Locals, and, in loops
/// with memory barriers or locks, all variables for which isConstantInRegion is
/// false, and loads that no iteration may come to because one leaves the loop
/// by one of \p EarlyExits. Returns true if anything moved.
bool hoistInvariantLoads(const LoopContext &C, const Directive &D,
                         const TaskLocals &Locals,
                         llvm::ArrayRef<EarlyExit> EarlyExits = {});

/// True if \p Load reads a variable at one address, and \p L changes it by no
/// name.
bool isAssignedNowhere(const llvm::LoadInst &Load, const llvm::Loop &L,
                       llvm::ScalarEvolution &SE);

} // namespace heddle

#endif
