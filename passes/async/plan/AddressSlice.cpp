//===- AddressSlice.cpp - Addresses computed ahead of time ----------------===//

#include "async/plan/AddressSlice.h"
#include "inline/WaitingAccesses.h"
#include "loop/Tunables.h"
#include "nest/PlainCalls.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ScalarEvolutionPatternMatch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace llvm::SCEVPatternMatch;
using namespace heddle;

/// True if \p I yields the same value wherever its operands are available and
/// memory is unchanged.
static bool isRepeatable(const Instruction &I) {
  return !isa<PHINode, CallBase>(I) && !I.isTerminator() &&
         !I.mayHaveSideEffects();
}

/// True if \p I completes as well in front of \p At, in its own block. Repeated
/// ahead of its time a load must still be able to complete and be cheap, and a
/// division must have the same divisor; the address is only prefetched.
static bool completesAt(const Instruction &I, const Instruction *At,
                        function_ref<bool(const LoadInst *)> IsAtHand) {
  if (isSafeToSpeculativelyExecute(&I))
    return true;
  if (I.mayReadFromMemory()) {
    auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load || !Load->isSimple() || !IsAtHand(Load))
      return false;
  }
  return all_of(make_range(At->getIterator(), I.getIterator()),
                [](const Instruction &Between) {
                  return !Between.mayWriteToMemory() &&
                         isGuaranteedToTransferExecutionToSuccessor(&Between);
                });
}

bool heddle::addressSliceAt(Value *Address, Instruction *At,
                            function_ref<bool(const LoadInst *)> IsAtHand,
                            const DominatorTree &DT,
                            SetVector<Instruction *> &Slice) {
  auto *I = dyn_cast<Instruction>(Address);
  if (!I || DT.dominates(I, At) || Slice.contains(I))
    return true;
  if (I->getParent() != At->getParent() || !isRepeatable(*I) ||
      Slice.size() >= tunable::SliceInstructions ||
      !completesAt(*I, At, IsAtHand))
    return false;
  for (Value *Operand : I->operands())
    if (!addressSliceAt(Operand, At, IsAtHand, DT, Slice))
      return false;
  Slice.insert(I);
  return true;
}

bool heddle::addressSliceAhead(Value *Address, const Instruction *At,
                               const DominatorTree &DT,
                               SetVector<Instruction *> &Slice) {
  auto *I = dyn_cast<Instruction>(Address);
  if (!I || DT.dominates(I, At) || Slice.contains(I))
    return true;
  if (!isRepeatable(*I) || I->mayReadFromMemory() ||
      !isSafeToSpeculativelyExecute(I) ||
      Slice.size() >= tunable::SliceInstructions)
    return false;
  for (Value *Operand : I->operands())
    if (!addressSliceAhead(Operand, At, DT, Slice))
      return false;
  Slice.insert(I);
  return true;
}

/// True if \p Phi 's value in another iteration of \p Inner is known.
static bool isKnownAhead(PHINode &Phi, const Loop &Inner, ScalarEvolution &SE) {
  return Phi.getParent() == Inner.getHeader() && SE.isSCEVable(Phi.getType()) &&
         match(SE.getSCEV(&Phi), m_scev_AffineAddRec(m_SCEV(), m_SCEVConstant(),
                                                     m_SpecificLoop(&Inner)));
}

/// True if \p I completes for an iteration of \p Inner that may turn out not to
/// exist. A load or a division under a condition may only be valid under it;
/// the iteration that leaves the loop must get to it, too.
static bool completesAhead(const Instruction &I, const Loop &Inner,
                           const DominatorTree &DT) {
  if (isSafeToSpeculativelyExecute(&I))
    return true;
  auto *Load = dyn_cast<LoadInst>(&I);
  if (I.mayReadFromMemory() && (!Load || !Load->isSimple()) &&
      !isStartOfForm(I))
    return false;
  SmallVector<BasicBlock *, 4> Exiting;
  Inner.getExitingBlocks(Exiting);
  Exiting.push_back(Inner.getLoopLatch());
  const BasicBlock *Reached = I.getParent();
  while (const BasicBlock *From = Reached->getSinglePredecessor()) {
    if (!isChosenByTasks(*From, *Reached))
      break;
    Reached = From;
  }
  return all_of(Exiting, [&](const BasicBlock *Block) {
    return DT.dominates(Reached, Block);
  });
}

bool heddle::addressSliceInLoop(Value *Address, const Loop &Inner,
                                const LatencyAnalysis &Latency,
                                const LoopContext &C,
                                SetVector<Instruction *> &Slice,
                                unsigned &Level) {
  auto *I = dyn_cast<Instruction>(Address);
  if (!I || !Inner.contains(I) || Slice.contains(I))
    return true;
  if (auto *Phi = dyn_cast<PHINode>(I))
    return isKnownAhead(*Phi, Inner, C.SE);
  if (!(isRepeatable(*I) || (&Inner == &C.L && isStartOfForm(*I))) ||
      Slice.size() >= tunable::SliceInstructions ||
      !completesAhead(*I, Inner, C.DT))
    return false;
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
