//===- WorkCount.cpp - The amount of work of an iteration -----------------===//

#include "async/rewrite/WorkCount.h"
#include "ir/Registers.h"
#include "ir/Steps.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/Local.h"
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

/// Fills \p Count if \p Inner has a counter that it is compared with at an
/// exit, although it may leave earlier or reload its bound.
static bool goesByCounter(Loop &Inner, ScalarEvolution &SE, InnerCount &Count) {
  SmallVector<BasicBlock *, 2> Exiting;
  Inner.getExitingBlocks(Exiting);
  auto Counts = [&](const Value *Operand) {
    if (!SE.isSCEVable(Operand->getType()))
      return false;
    auto *Counter =
        dyn_cast<SCEVAddRecExpr>(SE.getSCEV(const_cast<Value *>(Operand)));
    return Counter && Counter->getLoop() == &Inner;
  };
  const bool Compared = any_of(Exiting, [&](BasicBlock *Block) {
    auto *Branch = dyn_cast<BranchInst>(Block->getTerminator());
    auto *Compare =
        Branch ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
    return Compare && any_of(Compare->operands(), Counts);
  });
  if (!Compared)
    return false;
  for (PHINode &Phi : Inner.getHeader()->phis()) {
    if (!Counts(&Phi))
      continue;
    auto *Step = dyn_cast<SCEVConstant>(
        cast<SCEVAddRecExpr>(SE.getSCEV(&Phi))->getStepRecurrence(SE));
    const unsigned Bits = SE.getTypeSizeInBits(Phi.getType());
    if ((Bits != 32 && Bits != 64) || !Step ||
        Step->getAPInt().getSignificantBits() > 32 || Step->isZero() ||
        !Step->getAPInt().abs().isPowerOf2())
      continue;
    Count = {&Inner, nullptr, &Phi, Step->getAPInt().getSExtValue()};
    return true;
  }
  return false;
}

InnerCounts heddle::findInnerCounts(const LoopContext &C) {
  InnerCounts Counts;
  SCEVExpander Expander(C.SE, "heddle", /*PreserveLCSSA=*/false);
  for (Loop *Inner : C.L.getLoopsInPreorder()) {
    if (Inner == &C.L || !Inner->getLoopPreheader() || !Inner->getLoopLatch())
      continue;
    const SCEV *Count = C.SE.getBackedgeTakenCount(Inner);
    InnerCount Each;
    if (!isKnownAhead(Count, Inner->getLoopPreheader()->getTerminator(),
                      Expander)) {
      if (goesByCounter(*Inner, C.SE, Each))
        Counts.push_back(Each);
    } else if (!C.SE.isLoopInvariant(Count, &C.L))
      Counts.push_back({Inner, Count});
  }
  return Counts;
}

/// Adds \p More to the work at \p B.
static StoreInst *addWork(IRBuilder<> &B, Value *More,
                          const SchedulerState &State) {
  return B.CreateStore(B.CreateAdd(load(B, State.Work), More), State.Work);
}

void heddle::countInnerIterations(InnerCounts &Counts, const LoopContext &C,
                                  const SchedulerState &State) {
  assert(Counts.empty() == !State.Work && "a register for what is counted");
  ScalarEvolution &SE = C.SE;
  Type *I64 = State.i64();
  SCEVExpander Expander(SE, "heddle", /*PreserveLCSSA=*/false);
  for (InnerCount &Count : Counts) {
    if (!Count.BackedgeCount) {
      IRBuilder<> B(Count.Inner->getLoopLatch()->getTerminator());
      Count.Counted = addWork(B, B.getInt64(1), State);
      continue;
    }
    Instruction *At = Count.Inner->getLoopPreheader()->getTerminator();
    Value *More = Expander.expandCodeFor(
        SE.getAddExpr(SE.getNoopOrZeroExtend(Count.BackedgeCount, I64),
                      SE.getOne(I64)),
        I64, At->getIterator());
    IRBuilder<> B(At);
    addWork(B, More, State);
  }
}

void heddle::countAtExits(const InnerCounts &Counts, const LoopContext &C,
                          const SchedulerState &State) {
  for (const InnerCount &Count : Counts) {
    if (!Count.Counted)
      continue;
    auto *Sum = cast<Instruction>(Count.Counted->getValueOperand());
    Count.Counted->eraseFromParent();
    RecursivelyDeleteTriviallyDeadInstructions(Sum);
    Value *Begin = Count.Counter->getIncomingValueForBlock(
        Count.Inner->getLoopPreheader());
    const BasicBlock *Latch = Count.Inner->getLoopLatch();
    SmallVector<BasicBlock *, 2> Exits;
    Count.Inner->getUniqueExitBlocks(Exits);
    for (BasicBlock *Exit : Exits) {
      if (!C.L.contains(Exit) || Exit->getFirstInsertionPt() == Exit->end())
        continue;
      IRBuilder<> B(Exit, Exit->begin());
      PHINode *End = B.CreatePHI(Count.Counter->getType(), 2);
      for (BasicBlock *From : predecessors(Exit)) {
        assert(Count.Inner->contains(From) && "exits are the loop's own");
        End->addIncoming(From == Latch
                             ? Count.Counter->getIncomingValueForBlock(Latch)
                             : Count.Counter,
                         From);
      }
      B.SetInsertPoint(Exit, Exit->getFirstInsertionPt());
      addWork(B, stepsBetween(B, Begin, End, Count.Step), State);
    }
  }
}
