//===- LoopVerdict.h - What would become of a marked loop -------*- C++ -*-===//
//
// Asks AsyncSplit's analyses about a loop without rewriting it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_LOOPVERDICT_H
#define HEDDLE_PASSES_ASYNC_LOOPVERDICT_H

#include "async/plan/SuspensionPlan.h"
#include "llvm/IR/PassManager.h"

namespace heddle {

/// The plan for a loop in the form that the analyses expect, or the reason why
/// it would be left alone.
struct LoopVerdict {
  const LoopContext &C;
  /// Null if the loop is refused before its accesses are looked at.
  const LatencyAnalysis *Latency;
  const SuspensionPlan &Plan;
  const MaybeRefusal &Why;
};

/// Shows \p Look the verdict on the loop of \p Markers[Which], as if no other
/// loop of \p F were marked. The function is brought back to what it was;
/// \p Markers, which are all in \p F, are replaced by those of its new body.
void judgeLoop(llvm::Function &F, llvm::FunctionAnalysisManager &AM,
               llvm::MutableArrayRef<llvm::CallInst *> Markers, unsigned Which,
               llvm::function_ref<void(const LoopVerdict &)> Look);

} // namespace heddle

#endif
