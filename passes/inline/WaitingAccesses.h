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

/// True if no prefetcher can foresee \p V, which is computed in the loop \p L:
/// it depends on a load or on the result of a call.
bool isUnforeseen(const llvm::Value *V, const llvm::Loop &L);

/// The number of places where \p F accesses memory and waits for it; \p
/// IsUnforeseen says which arguments no prefetcher can foresee.
unsigned
waitingPlaces(const llvm::Function &F,
              llvm::function_ref<bool(const llvm::Argument &)> IsUnforeseen);

/// The same for \p L.
unsigned waitingPlaces(const llvm::Loop &L);

/// True if \p F, or a function that is known to be called from it, may wait for
/// memory with some arguments.
bool mayWait(const llvm::Function &F);

/// True if the callee of \p Call may wait for memory, which is not seen as long
/// as it stays a call. Functions without a body may, but for those of runtime
/// libraries.
bool mayWaitUnseen(const llvm::CallBase &Call);

/// True if \p F may come to call itself, as far as is known.
bool isRecursive(const llvm::Function &F);

} // namespace heddle

#endif
