//===- Accesses.h - Let loads, stores and calls record ----------*- C++ -*-===//

#ifndef HEDDLE_PASSES_CHECK_ACCESSES_H
#define HEDDLE_PASSES_CHECK_ACCESSES_H

#include "check/Hooks.h"
#include "check/quick/QuickPaths.h"
#include "llvm/Analysis/LoopInfo.h"

namespace llvm {
class AAResults;
class DominatorTree;
} // namespace llvm

namespace heddle {

/// Puts calls of the checking runtime in front of the accesses of \p F that may
/// be in conflict with those of another iteration. \p Checked are the annotated
/// loops of \p F.
void recordAccesses(llvm::Function &F, llvm::ArrayRef<llvm::Loop *> Checked,
                    const llvm::LoopInfo &LI, const llvm::DominatorTree &DT,
                    llvm::AAResults &AA, Hooks &H, QuickPaths &Quick);

} // namespace heddle

#endif
