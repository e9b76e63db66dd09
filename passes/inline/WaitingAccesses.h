//===- WaitingAccesses.h - Where functions wait for memory ------*- C++ -*-===//
//
// Says, before functions are inlined, where a function would wait for memory if
// it were a part of a task. LatencyAnalysis decides in the end.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_INLINE_WAITINGACCESSES_H
#define HEDDLE_PASSES_INLINE_WAITINGACCESSES_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class Argument;
class CallBase;
class Function;
class Loop;
class Value;
} // namespace llvm

namespace heddle {

/// What is known of a value before the iteration computes it.
enum class Foresight {
  Same,     ///< the same in all iterations, or state that they share
  Foreseen, ///< it advances regularly
  None      ///< it depends on what is loaded, or on the result of a call
};

/// What is known of \p V in the loop \p L.
Foresight foresight(const llvm::Value *V, const llvm::Loop &L);

/// The number of places where \p F accesses memory and waits for it, with
/// arguments of which \p Of says what is known. What is loaded from places that
/// are the same is state that iterations share, such as the end of a vector.
unsigned
waitingPlaces(const llvm::Function &F,
              llvm::function_ref<Foresight(const llvm::Argument &)> Of);

/// The same for \p L.
unsigned waitingPlaces(const llvm::Loop &L);

/// True if \p F, or a function that is known to be called from it, may wait for
/// memory with some arguments.
bool mayWait(const llvm::Function &F);
/// True if a function that is known to be called from \p F may.
bool calleesMayWait(const llvm::Function &F);

/// True if the callee of \p Call may wait for memory, which is not seen as long
/// as it stays a call. Functions without a body may, but for those of runtime
/// libraries.
bool mayWaitUnseen(const llvm::CallBase &Call);

/// True if \p Call runs a function of another file up to where it waits; from
/// elsewhere/CallForms.h.
bool isStepOfForm(const llvm::CallBase &Call);

/// True if \p I is the first step of such a function, up to where it waits for
/// what differs from iteration to iteration. Before, it reads only what is the
/// same in all iterations and does not change; so it can run ahead of time with
/// another frame, which is its first operand.
bool isStartOfForm(const llvm::Instruction &I);

/// True if \p F may come to call itself, as far as is known.
bool isRecursive(const llvm::Function &F);

} // namespace heddle

#endif
