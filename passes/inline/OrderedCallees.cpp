//===- OrderedCallees.cpp - Functions that synchronize --------------------===//

#include "inline/OrderedCallees.h"
#include "ir/Instructions.h"
#include "mark/KeepRolled.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace heddle;

/// True if LLVM has found what \p F accesses without regard to its order.
static bool isTooNarrow(const Function &F) {
  return !F.isDeclaration() && isCallee(F) && !F.hasNoSync() &&
         !F.onlyReadsMemory() &&
         F.getMemoryEffects() != MemoryEffects::unknown();
}

PreservedAnalyses OrderedCalleesPass::run(LazyCallGraph::SCC &Callers,
                                          CGSCCAnalysisManager &,
                                          LazyCallGraph &,
                                          CGSCCUpdateResult &) {
  bool Changed = false;
  for (LazyCallGraph::Node &Caller : Callers)
    for (const Instruction &I : instructions(Caller.getFunction()))
      if (Function *Callee = calleeOf(I); Callee && isTooNarrow(*Callee)) {
        Callee->setMemoryEffects(MemoryEffects::unknown());
        Changed = true;
      }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
