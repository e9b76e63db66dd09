//===- KeepRolled.h - Loops that unrolling would not help -------*- C++ -*-===//
//
// An inner loop of few iterations is unrolled before AsyncSplit sees it. Often
// that is right: the accesses of its iterations become one group of requests. A
// chain of pointers has no such group, and neither have accesses under
// conditions: unrolled, each iteration would have a suspension point with code
// of its own, and AsyncSplit would refuse the loop. This pass, in front of
// LLVM's unrolling, keeps such loops as they are, in annotated loops and in the
// functions that these call. When tasks have been made of them, or a loop is
// left alone, all that is not part of a task is free to be unrolled again.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_MARK_KEEPROLLED_H
#define HEDDLE_PASSES_MARK_KEEPROLLED_H

#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Function;
class LPMUpdater;
class Loop;
} // namespace llvm

namespace heddle {

/// Marks all functions that \p L calls, directly or indirectly, as possible
/// parts of tasks. Must be called before functions are inlined.
void markCallees(const llvm::Loop &L);
/// True if \p F has been marked so.
bool isCallee(const llvm::Function &F);

/// Frees \p L and the loops inside it, if they were kept.
void freeRolled(llvm::Loop &L);

class KeepRolledPass : public llvm::PassInfoMixin<KeepRolledPass> {
public:
  llvm::PreservedAnalyses run(llvm::Loop &L, llvm::LoopAnalysisManager &AM,
                              llvm::LoopStandardAnalysisResults &AR,
                              llvm::LPMUpdater &Updater);
};

} // namespace heddle

#endif
