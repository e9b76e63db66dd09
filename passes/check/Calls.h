//===- Calls.h - Calls of functions that do not record ----------*- C++ -*-===//
//
// Functions without a body record nothing themselves. What is known of the C
// library, of allocators, of locks and of atomic operations is recorded where
// they are called.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_CHECK_CALLS_H
#define HEDDLE_PASSES_CHECK_CALLS_H

namespace llvm {
class CallBase;
class Instruction;
} // namespace llvm

namespace heddle {

class Hooks;

/// Records what is known of the function that \p Call calls. \p IsDirect: from
/// an annotated loop itself.
void recordCall(llvm::CallBase &Call, Hooks &H, bool IsDirect);

/// Records \p I, an atomic access, if it may acquire or release a lock.
void recordLock(llvm::Instruction &I, Hooks &H);

} // namespace heddle

#endif
