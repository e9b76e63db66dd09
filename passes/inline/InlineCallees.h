//===- InlineCallees.h - Callees that wait become part of tasks -*- C++ -*-===//
//
// AsyncSplit hides what a loop itself waits for. LLVM's inliner has a threshold
// that is meant for the time of the call; where a callee waits for memory in an
// annotated loop, much more is at stake. This advisor takes the place of LLVM's
// own in modules with annotated loops. It inlines such callees up to a size of
// the loop, and leaves all other decisions to LLVM's.
//
// Callees have been simplified by then, and only calls in the loop are inlined,
// so that other callers and the callees themselves stay as they are. Attributes
// of functions, recursion, and whatever else forbids inlining do so here, too.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_INLINE_INLINECALLEES_H
#define HEDDLE_PASSES_INLINE_INLINECALLEES_H

#include "llvm/IR/PassManager.h"

namespace heddle {

/// Has the inliner ask the advisor. Runs behind AsyncMark.
class InlineCalleesPass : public llvm::PassInfoMixin<InlineCalleesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
};

} // namespace heddle

#endif
