//===- WithoutWaiting.cpp - Requests without suspension -------------------===//

#include "async/plan/WithoutWaiting.h"
#include "async/analysis/ObjectAddress.h"
#include "async/plan/AddressSlice.h"
#include "async/plan/RunAhead.h"
#include "inline/WaitingAccesses.h"
#include "loop/Tunables.h"
#include "nest/PlainCalls.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace heddle;

/// True if \p Slice computes \p Address from induction variables and values
/// that all tasks share.
static bool followsFromIteration(const Value *Address,
                                 const SetVector<Instruction *> &Slice,
                                 const LoopFacts &Facts) {
  bool AnyInduction = false;
  auto IsShared = [&](const Value *V) {
    if (auto *Phi = dyn_cast<PHINode>(V); Phi && Facts.Shape.L->contains(Phi)) {
      const LoopVariable *Variable = Facts.Classes.find(Phi);
      AnyInduction = true;
      return Variable && Variable->Class == VariableClass::Induction;
    }
    auto *Local = dyn_cast<AllocaInst>(V);
    return !Local || !Facts.Locals.contains(Local);
  };
  bool Shared =
      IsShared(Address) && all_of(Slice, [&](const Instruction *I) {
        // The first step of a form gets another frame.
        return all_of(drop_begin(I->operand_values(), isStartOfForm(*I)),
                      IsShared);
      });
  return Shared && AnyInduction;
}

/// True if all tasks reach \p P except those whose request is of a null
/// pointer.
static bool isReached(const SuspensionPoint &P, const LoopShape &Shape,
                      const DominatorTree &DT) {
  const BasicBlock *Block = P.Before->getParent();
  while (!DT.dominates(Block, Shape.Latch)) {
    const BasicBlock *From = Block->getSinglePredecessor();
    auto *Branch = From ? dyn_cast<BranchInst>(From->getTerminator()) : nullptr;
    if (!Branch || !Shape.L->contains(From))
      return false;
    if (Branch->isConditional() && !isChosenByTasks(*From, *Block)) {
      auto *Test = dyn_cast<ICmpInst>(Branch->getCondition());
      if (!Test || !Test->isEquality() ||
          !isa<ConstantPointerNull>(Test->getOperand(1)) ||
          none_of(P.Requests, [&](const Request &R) {
            return ObjectAddress(R.Address).base() == Test->getOperand(0);
          }))
        return false;
    }
    Block = From;
  }
  return true;
}

bool heddle::makeEarly(SuspensionPoint &P, const LoopContext &C,
                       const LoopFacts &Facts) {
  if (P.AwaitsTurn || !Facts.Shape.BackedgeCount ||
      C.LI.getLoopFor(P.Before->getParent()) != &C.L)
    return false;
  SmallVector<AddressSlice, 2> Slices;
  for (const Request &R : P.Requests) {
    SetVector<Instruction *> Slice;
    unsigned Level = 0;
    if (!R.Address ||
        !addressSliceInLoop(R.Address, C.L, Facts.Latency, C, Slice, Level) ||
        Level || !canRunAhead(Slice, C) ||
        !followsFromIteration(R.Address, Slice, Facts))
      return false;
    if (Facts.Shape.isLeftEarly() && any_of(Slice, [](const Instruction *I) {
          return I->mayReadFromMemory() || !isSafeToSpeculativelyExecute(I);
        }))
      return false;
    Slices.push_back(Slice.takeVector());
  }
  if (!isReached(P, Facts.Shape, C.DT))
    return false;
  for (auto [R, Slice] : zip_equal(P.Requests, Slices))
    R.Slice = std::move(Slice);
  P.Early = true;
  return true;
}

/// True if all tasks agree on \p V, in \p L, in the first round of \p Inner.
static bool isSameOnEntry(const Value *V, const Loop &L, const Loop &Inner,
                          SmallPtrSetImpl<const Value *> &Seen) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I) || Seen.contains(I))
    return true;
  if (!Inner.contains(I) || Seen.size() == tunable::SameOnEntryValues)
    return false;
  Seen.insert(I);
  if (auto *Phi = dyn_cast<PHINode>(I))
    return Phi->getParent() == Inner.getHeader() &&
           L.isLoopInvariant(
               Phi->getIncomingValueForBlock(Inner.getLoopPreheader()));
  return !I->mayReadOrWriteMemory() && !isa<CallBase, FreezeInst>(I) &&
         all_of(I->operand_values(), [&](const Value *Operand) {
           return isSameOnEntry(Operand, L, Inner, Seen);
         });
}

const Loop *heddle::sameOnEntry(const SuspensionPoint &P,
                                const LoopContext &C) {
  const Loop &L = C.L;
  const Loop *Inner = C.LI.getLoopFor(P.Before->getParent());
  if (P.AwaitsTurn || Inner == &L || !Inner->getLoopPreheader() ||
      !Inner->getLoopLatch())
    return nullptr;
  for (const Request &R : P.Requests) {
    SmallPtrSet<const Value *, 16> Seen;
    if (!R.Address || !isSameOnEntry(R.Address, L, *Inner, Seen))
      return nullptr;
  }
  return Inner;
}
