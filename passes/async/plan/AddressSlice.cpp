//===- AddressSlice.cpp - Addresses computed ahead of time ----------------===//

#include "async/plan/AddressSlice.h"
#include "loop/Tunables.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace heddle;

bool heddle::addressSliceAt(Value *Address, Instruction *At,
                            function_ref<bool(const LoadInst *)> IsAtHand,
                            const DominatorTree &DT,
                            SetVector<Instruction *> &Slice) {
  auto *I = dyn_cast<Instruction>(Address);
  if (!I || DT.dominates(I, At) || Slice.contains(I))
    return true;
  if (I->getParent() != At->getParent() || isa<PHINode>(I) ||
      I->mayHaveSideEffects() || I->isTerminator() || isa<CallBase>(I) ||
      Slice.size() >= tunable::SliceInstructions)
    return false;
  if (!isSafeToSpeculativelyExecute(I)) {
    // Repeated ahead of its time a load must still be able to complete and be
    // cheap, and a division must have the same divisor; what comes of them is
    // only prefetched.
    if (I->mayReadFromMemory()) {
      auto *Load = dyn_cast<LoadInst>(I);
      if (!Load || !Load->isSimple() || !IsAtHand(Load))
        return false;
    }
    for (auto It = At->getIterator(); &*It != I; ++It)
      if (It->mayWriteToMemory() ||
          !isGuaranteedToTransferExecutionToSuccessor(&*It))
        return false;
  }
  for (Value *Operand : I->operands())
    if (!addressSliceAt(Operand, At, IsAtHand, DT, Slice))
      return false;
  Slice.insert(I);
  return true;
}

bool heddle::addressSliceInLoop(Value *Address, const Loop &Inner,
                                const LatencyAnalysis &Latency,
                                const LoopContext &C,
                                SetVector<Instruction *> &Slice,
                                unsigned &Level) {
  ScalarEvolution &SE = C.SE;
  auto *I = dyn_cast<Instruction>(Address);
  if (!I || !Inner.contains(I) || Slice.contains(I))
    return true;
  if (auto *Phi = dyn_cast<PHINode>(I)) {
    if (Phi->getParent() != Inner.getHeader() || !SE.isSCEVable(Phi->getType()))
      return false;
    auto *Recurrence = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Phi));
    return Recurrence && Recurrence->getLoop() == &Inner &&
           Recurrence->isAffine() &&
           isa<SCEVConstant>(Recurrence->getStepRecurrence(SE));
  }
  if (I->mayHaveSideEffects() || I->isTerminator() || isa<CallBase>(I) ||
      Slice.size() >= tunable::SliceInstructions)
    return false;
  if (!isSafeToSpeculativelyExecute(I)) {
    // A load or a division under a condition may only be valid under it; the
    // iteration that leaves the loop must get to it, too.
    auto *Load = dyn_cast<LoadInst>(I);
    if (I->mayReadFromMemory() && (!Load || !Load->isSimple()))
      return false;
    SmallVector<BasicBlock *, 4> Exiting;
    Inner.getExitingBlocks(Exiting);
    Exiting.push_back(Inner.getLoopLatch());
    if (!all_of(Exiting, [&](const BasicBlock *Block) {
          return C.DT.dominates(I->getParent(), Block);
        }))
      return false;
  }
  unsigned Deepest = 0;
  for (Value *Operand : I->operands()) {
    unsigned OperandLevel = 0;
    if (!addressSliceInLoop(Operand, Inner, Latency, C, Slice, OperandLevel))
      return false;
    Deepest = std::max(Deepest, OperandLevel);
  }
  const Access *A = Latency.find(I);
  bool Waits = A && A->isLongLatency() && A->Kind != AddressKind::StreamStart;
  Level = std::max(Level, Deepest + Waits);
  Slice.insert(I);
  return true;
}
