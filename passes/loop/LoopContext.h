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
#include <memory>

namespace llvm {
class AllocaInst;
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

class Islands;

struct LoopContext {
  llvm::Loop &L;
  llvm::DominatorTree &DT;
  llvm::LoopInfo &LI;
  llvm::ScalarEvolution &SE;
  llvm::AAResults &AA;
  llvm::AssumptionCache &AC;
  llvm::LazyValueInfo &LVI;
  const llvm::TargetTransformInfo &TTI;
  /// The memory of an iteration that is linked, as far as it has been looked
  /// for.
  std::shared_ptr<const Islands> Memory;

  /// The context of \p L, a loop of the function \p F.
  LoopContext(llvm::Loop &L, llvm::Function &F,
              llvm::FunctionAnalysisManager &AM);
  /// The context of \p L, a loop of the same function as \p Other 's.
  LoopContext(llvm::Loop &L, const LoopContext &Other);

  /// Finds Memory, in the loop as it is. \p Variables are those of which each
  /// iteration has its own.
  void findMemory(llvm::ArrayRef<const llvm::AllocaInst *> Variables);
};

} // namespace heddle

#endif
