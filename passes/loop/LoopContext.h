//===- LoopContext.h - A loop and LLVM's analyses of it ---------*- C++ -*-===//
//
// Code that looks at a loop takes all its analyses in one LoopContext. A
// LoopContext is valid while the analysis manager keeps the function's results;
// create a new one after each rewrite, which invalidates them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_LOOP_LOOPCONTEXT_H
#define HEDDLE_PASSES_LOOP_LOOPCONTEXT_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class AAResults;
class AssumptionCache;
class DominatorTree;
class LazyValueInfo;
class Loop;
class LoopInfo;
class ScalarEvolution;
class TargetTransformInfo;
} // namespace llvm

namespace heddle {

struct LoopContext {
  llvm::Loop &L;
  llvm::DominatorTree &DT;
  llvm::LoopInfo &LI;
  llvm::ScalarEvolution &SE;
  llvm::AAResults &AA;
  llvm::AssumptionCache &AC;
  llvm::LazyValueInfo &LVI;
  const llvm::TargetTransformInfo &TTI;

  /// The context of \p L, a loop of the function \p F.
  LoopContext(llvm::Loop &L, llvm::Function &F,
              llvm::FunctionAnalysisManager &AM);
  /// The context of \p L, a loop of the same function as \p Other 's.
  LoopContext(llvm::Loop &L, const LoopContext &Other);
};

} // namespace heddle

#endif
