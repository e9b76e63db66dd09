//===- OrderedCallees.cpp - Functions that synchronize --------------------===//

#include "inline/OrderedCallees.h"
#include "ir/Instructions.h"
#include "mark/KeepRolled.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace heddle;

/// True if other accesses have an order with \p I, an atomic operation.
static bool isOrdered(const Instruction &I) {
  return TypeSwitch<const Instruction *, bool>(&I)
      .Case<LoadInst, StoreInst, AtomicRMWInst>([](auto *Access) {
        return isStrongerThanMonotonic(Access->getOrdering());
      })
      .Case([](const AtomicCmpXchgInst *Exchange) {
        return isStrongerThanMonotonic(Exchange->getMergedOrdering());
      })
      .Default([](const Instruction *Other) { return isa<FenceInst>(Other); });
}

/// True if LLVM has found what \p F accesses without regard to the order of its
/// atomic operations. Counting, which is in no order, is what it seems to be.
static bool isTooNarrow(const Function &F) {
  if (F.isDeclaration() || !isCallee(F) || F.hasNoSync() ||
      F.getMemoryEffects() == MemoryEffects::unknown())
    return false;
  return any_of(instructions(F), isOrdered);
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
