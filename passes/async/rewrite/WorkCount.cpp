//===- WorkCount.cpp - The amount of work of an iteration -----------------===//

#include "async/rewrite/WorkCount.h"
#include "ir/Registers.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace heddle;

/// True if \p Count is cheap to compute at \p At.
static bool isKnownAhead(const SCEV *Count, const Instruction *At,
                         const SCEVExpander &Expander) {
  return !isa<SCEVCouldNotCompute>(Count) &&
         Count->getType()->getIntegerBitWidth() <= 64 &&
         !SCEVExprContains(
             Count, [](const SCEV *S) { return isa<SCEVUDivExpr>(S); }) &&
         Expander.isSafeToExpandAt(Count, At);
}

/// True if \p Inner ends by a counter, although it may leave earlier or reload
/// its bound.
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

SmallVector<InnerCount, 2> heddle::findInnerCounts(const LoopContext &C) {
  SmallVector<InnerCount, 2> Counts;
  SCEVExpander Expander(C.SE, "heddle", /*PreserveLCSSA=*/false);
  for (Loop *Inner : C.L.getLoopsInPreorder()) {
    if (Inner == &C.L || !Inner->getLoopPreheader() || !Inner->getLoopLatch())
      continue;
    const SCEV *Count = C.SE.getBackedgeTakenCount(Inner);
    if (!isKnownAhead(Count, Inner->getLoopPreheader()->getTerminator(),
                      Expander)) {
      if (goesByCounter(*Inner, C.SE))
        Counts.push_back({Inner, nullptr});
    } else if (!C.SE.isLoopInvariant(Count, &C.L))
      Counts.push_back({Inner, Count});
  }
  return Counts;
}

void heddle::countInnerIterations(ArrayRef<InnerCount> Counts,
                                  const LoopContext &C,
                                  const SchedulerState &State) {
  assert(Counts.empty() == !State.Work && "a register for what is counted");
  ScalarEvolution &SE = C.SE;
  Type *I64 = State.i64();
  SCEVExpander Expander(SE, "heddle", /*PreserveLCSSA=*/false);
  for (const InnerCount &Count : Counts) {
    Instruction *At = Count.BackedgeCount
                          ? Count.Inner->getLoopPreheader()->getTerminator()
                          : Count.Inner->getLoopLatch()->getTerminator();
    Value *More = ConstantInt::get(I64, 1);
    if (Count.BackedgeCount)
      More = Expander.expandCodeFor(
          SE.getAddExpr(SE.getNoopOrZeroExtend(Count.BackedgeCount, I64),
                        SE.getOne(I64)),
          I64, At->getIterator());
    IRBuilder<> B(At);
    B.CreateStore(B.CreateAdd(load(B, State.Work), More), State.Work);
  }
}
