//===- LoopContext.cpp - A loop and LLVM's analyses of it -----------------===//

#include "loop/LoopContext.h"
#include "ir/Islands.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LazyValueInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;
using namespace heddle;

LoopContext::LoopContext(Loop &L, Function &F, FunctionAnalysisManager &AM)
    : L(L), DT(AM.getResult<DominatorTreeAnalysis>(F)),
      LI(AM.getResult<LoopAnalysis>(F)),
      SE(AM.getResult<ScalarEvolutionAnalysis>(F)),
      AA(AM.getResult<AAManager>(F)), AC(AM.getResult<AssumptionAnalysis>(F)),
      LVI(AM.getResult<LazyValueAnalysis>(F)),
      TTI(AM.getResult<TargetIRAnalysis>(F)) {
  assert(L.getHeader()->getParent() == &F && "a loop of another function");
}

LoopContext::LoopContext(Loop &L, const LoopContext &Other)
    : L(L), DT(Other.DT), LI(Other.LI), SE(Other.SE), AA(Other.AA),
      AC(Other.AC), LVI(Other.LVI), TTI(Other.TTI) {
  assert(L.getHeader()->getParent() == Other.L.getHeader()->getParent() &&
         "a loop of another function");
}

void LoopContext::findMemory(ArrayRef<const AllocaInst *> Variables) {
  Memory = std::make_shared<const Islands>(L, Variables);
}
