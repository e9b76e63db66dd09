//===- RunAhead.cpp - Values that may be computed early -------------------===//

#include "async/plan/RunAhead.h"
#include "ir/Instructions.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace heddle;

/// Alias analysis compares the addresses of one iteration, so it is asked for
/// the whole object, if that is the same in all.
bool heddle::changes(const Loop &Inner, const LoadInst &Load, AAResults &AA) {
  const Value *Object = getUnderlyingObject(Load.getPointerOperand());
  MemoryLocation Place =
      Inner.isLoopInvariant(Object)
          ? MemoryLocation::getBeforeOrAfter(Object, Load.getAAMetadata())
          : MemoryLocation();
  for (Instruction &I : instructionsIn(Inner.blocks())) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!I.mayWriteToMemory() || I.isLifetimeStartOrEnd() ||
        (Call && Call->onlyAccessesInaccessibleMemory()))
      continue;
    if (!Place.Ptr || isModSet(AA.getModRefInfo(&I, Place)))
      return true;
  }
  return false;
}

bool heddle::alwaysGoesOn(const Loop &Inner) {
  return all_of(instructionsIn(Inner.blocks()), [](const Instruction &I) {
    return isGuaranteedToTransferExecutionToSuccessor(&I);
  });
}

bool heddle::canRunAhead(const SetVector<Instruction *> &Slice,
                         const LoopContext &C) {
  const Loop &Inner = C.L;
  bool RunsToItsEnd =
      !isa<SCEVCouldNotCompute>(C.SE.getBackedgeTakenCount(&Inner)) &&
      alwaysGoesOn(Inner);
  SmallPtrSet<const Value *, 16> FromMemory;
  bool Changing = false;
  for (Instruction *I : Slice) {
    bool DependsOnMemory = any_of(I->operand_values(), [&](Value *Operand) {
      return FromMemory.contains(Operand);
    });
    bool MayFault = !isSafeToSpeculativelyExecute(I);
    // Behind the last iteration no memory is known to exist; pointers that may
    // still change must not be followed.
    if (MayFault && (!RunsToItsEnd || (DependsOnMemory && Changing)))
      return false;
    auto *Load = dyn_cast<LoadInst>(I);
    if (Load)
      Changing |= changes(Inner, *Load, C.AA);
    if (Load || DependsOnMemory)
      FromMemory.insert(I);
  }
  return true;
}

bool heddle::mayMoveUp(const LoadInst *Load, const Instruction *To,
                       const Loop &Inner) {
  SmallVector<const BasicBlock *> Worklist;
  SmallPtrSet<const BasicBlock *, 8> Seen;
  // False if something between From and the load could keep the load from being
  // reached or change the value that it reads.
  auto Passes = [&](const Instruction *From) {
    for (const Instruction *I = From; I; I = I->getNextNode()) {
      if (I == Load)
        return true;
      if (I->mayWriteToMemory() ||
          !isGuaranteedToTransferExecutionToSuccessor(I))
        return false;
    }
    for (const BasicBlock *Next : successors(From->getParent())) {
      if (!Inner.contains(Next) || Next == Inner.getHeader())
        return false;
      if (Seen.insert(Next).second)
        Worklist.push_back(Next);
    }
    return true;
  };
  if (!Passes(To))
    return false;
  while (!Worklist.empty())
    if (!Passes(&Worklist.pop_back_val()->front()))
      return false;
  return true;
}
