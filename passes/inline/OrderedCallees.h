//===- OrderedCallees.h - Functions that synchronize ------------*- C++ -*-===//
//
// LLVM 22 takes an atomic operation for an access of its own address only,
// whatever its order. So a function that acquires a lock seems to leave all
// other memory alone, and what the lock guards would be loaded before it is
// held.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_INLINE_ORDEREDCALLEES_H
#define HEDDLE_PASSES_INLINE_ORDEREDCALLEES_H

#include "llvm/Analysis/CGSCCPassManager.h"

namespace heddle {

/// Lets functions that annotated loops call, and that synchronize with another
/// thread, count as accessing all memory. Runs in front of the passes
/// that optimize their callers.
class OrderedCalleesPass : public llvm::PassInfoMixin<OrderedCalleesPass> {
public:
  llvm::PreservedAnalyses run(llvm::LazyCallGraph::SCC &Callers,
                              llvm::CGSCCAnalysisManager &,
                              llvm::LazyCallGraph &, llvm::CGSCCUpdateResult &);
};

} // namespace heddle

#endif
