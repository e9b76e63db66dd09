//===- CapturedVariables.h - Captures of OpenMP regions ---------*- C++ -*-===//
//
// OpenMP outlining passes the variables around a parallel region by reference.
// Most are never assigned in it: they have one value while it runs, even if its
// threads communicate through atomics.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_LOOP_CAPTUREDVARIABLES_H
#define HEDDLE_PASSES_LOOP_CAPTUREDVARIABLES_H

namespace llvm {
class Value;
} // namespace llvm

namespace heddle {

/// True if \p Address is a variable that an OpenMP region captures, or a member
/// of one. If any iteration changed it without a lock, threads would race for
/// it.
bool isCapturedByRegion(const llvm::Value *Address);

/// True if \p Address is a local variable of the function around the region
/// that nothing can assign while the region runs. Follows the variable into the
/// functions that it is passed to.
bool isConstantInRegion(const llvm::Value *Address);

} // namespace heddle

#endif
