//===- WorkCount.cpp - How much an iteration has to do --------------------===//

#include "async/rewrite/WorkCount.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace heddle;

/// True if it costs next to nothing to know \p Count at \p At.
static bool isKnownAhead(const SCEV *Count, const Instruction *At,
                         const SCEVExpander &Expander) {
  return !isa<SCEVCouldNotCompute>(Count) &&
         Count->getType()->getIntegerBitWidth() <= 64 &&
         !SCEVExprContains(
             Count, [](const SCEV *S) { return isa<SCEVUDivExpr>(S); }) &&
         Expander.isSafeToExpandAt(Count, At);
}

/// True if \p Inner has a counter that tells when it ends, although it may end
/// earlier or read anew how far it goes.
static bool goesByCounter(Loop &Inner, ScalarEvolution &SE) {
  SmallVector<BasicBlock *, 2> Exiting;
  Inner.getExitingBlocks(Exiting);
  return any_of(Exiting, [&](BasicBlock *Block) {
    auto *Branch = dyn_cast<BranchInst>(Block->getTerminator());
    auto *Compare =
        Branch ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
    return Compare && any_of(Compare->operands(), [&](Value *Operand) {
             if (!SE.isSCEVable(Operand->getType()))
               return false;
             auto *Counter = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Operand));
             return Counter && Counter->getLoop() == &Inner;
           });
  });
}

AllocaInst *heddle::countInnerIterations(Loop &L, ScalarEvolution &SE,
                                         SchedulerState &State) {
  AllocaInst *Work = nullptr;
  auto Add = [&](Value *Count, Instruction *At) {
    if (!Work)
      Work = State.createRegister(State.i64(), "heddle.work");
    IRBuilder<> B(At);
    B.CreateStore(B.CreateAdd(B.CreateLoad(State.i64(), Work), Count), Work);
  };
  SCEVExpander Expander(SE, "heddle", /*PreserveLCSSA=*/false);
  for (Loop *Inner : L.getLoopsInPreorder()) {
    if (Inner == &L || !Inner->getLoopPreheader() || !Inner->getLoopLatch())
      continue;
    Instruction *Before = Inner->getLoopPreheader()->getTerminator();
    const SCEV *Count = SE.getBackedgeTakenCount(Inner);
    if (isKnownAhead(Count, Before, Expander)) {
      if (!SE.isLoopInvariant(Count, &L))
        Add(Expander.expandCodeFor(
                SE.getAddExpr(SE.getNoopOrZeroExtend(Count, State.i64()),
                              SE.getOne(State.i64())),
                State.i64(), Before->getIterator()),
            Before);
    } else if (goesByCounter(*Inner, SE)) {
      Add(ConstantInt::get(State.i64(), 1),
          Inner->getLoopLatch()->getTerminator());
    }
  }
  return Work;
}
