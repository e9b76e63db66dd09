//===- RepeatedRegions.cpp - Regions that begin again before they end -----===//

#include "async/regions/RepeatedRegions.h"
#include "ir/Instructions.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace heddle;

/// The variables of \p Inner, a loop in \p L, that \p Address depends on in one
/// iteration of \p L.
static SmallPtrSet<const PHINode *, 4>
variablesIn(const Loop &Inner, const Value *Address, const Loop &L) {
  SmallPtrSet<const PHINode *, 4> Variables;
  findOperand(Address, L, [&](const Instruction &I) {
    auto *Phi = dyn_cast<PHINode>(&I);
    if (Phi && Phi->getParent() == Inner.getHeader())
      Variables.insert(Phi);
    return Phi && (Phi->getParent() == Inner.getHeader() ||
                   Phi->getParent() == L.getHeader())
               ? OperandWalk::Pass
               : OperandWalk::GoOn;
  });
  return Variables;
}

/// The addresses that \p Last, a store or a call, may write to, as far as
/// iterations choose them.
static SmallVector<const Value *, 4> placesOf(const Instruction &Last,
                                              const Loop &L) {
  if (const Value *Address = accessedAddress(Last))
    return {Address};
  SmallVector<const Value *, 4> Places;
  if (auto *Call = dyn_cast<CallBase>(&Last))
    for (const Value *Argument : Call->args())
      if (Argument->getType()->isPointerTy() && !L.isLoopInvariant(Argument))
        Places.push_back(Argument);
  return Places;
}

/// True if an inner loop around the first access of \p R, an update, moves on
/// from a place that the last one writes to, as from the head of a list.
static bool movesOn(const UninterruptedRegion &R, const LoopContext &C) {
  const Value *First = accessedAddress(*R.First);
  if (R.Why != UninterruptedRegion::Reason::Modification || !First || !R.Last)
    return false;
  const auto Places = placesOf(*R.Last, C.L);
  for (const Loop *Inner = C.LI.getLoopFor(R.First->getParent());
       Inner != &C.L && !Inner->contains(R.Last);
       Inner = Inner->getParentLoop()) {
    const auto Moving = variablesIn(*Inner, First, C.L);
    auto IsLeftBehind = [&](const Value *Place) {
      const auto Reached = variablesIn(*Inner, Place, C.L);
      return Reached.empty() || any_of(Reached, [&](const PHINode *Variable) {
               return !Moving.contains(Variable);
             });
    };
    if (!Moving.empty() && any_of(Places, IsLeftBehind))
      return true;
  }
  return false;
}

static bool isSameValue(Value *A, Value *B, ScalarEvolution &SE) {
  return A == B ||
         (SE.isSCEVable(A->getType()) && SE.isSCEVable(B->getType()) &&
          SE.getSCEV(A) == SE.getSCEV(B));
}

/// True if an inner loop takes several locks by \p R.First, or fills several
/// places by it of which \p R.Last reads another one.
static bool takesSeveral(const UninterruptedRegion &R, const LoopContext &C) {
  if (R.Why == UninterruptedRegion::Reason::Modification || !R.Last)
    return false;
  // What chooses the places: an address, or a call's arguments.
  auto ChoosersOf = [](const Instruction &I) {
    Value *Address = accessedAddress(I);
    return Address ? SmallVector<Value *, 4>{Address}
                   : SmallVector<Value *, 4>(I.operands());
  };
  const auto Of = ChoosersOf(*R.First), Other = ChoosersOf(*R.Last);
  for (const Loop *Inner = C.LI.getLoopFor(R.First->getParent()); Inner != &C.L;
       Inner = Inner->getParentLoop()) {
    auto Varies = [&](Value *Chooser) {
      return !variablesIn(*Inner, Chooser, C.L).empty();
    };
    // Within one turn of the inner loop, the place may be the same.
    auto IsOfFirst = [&](Value *Chooser) {
      return any_of(
          Of, [&](Value *One) { return isSameValue(One, Chooser, C.SE); });
    };
    const bool FillsOthers = accessedAddress(*R.First) && Varies(Of.front()) &&
                             none_of(Other, IsOfFirst);
    if (Inner->contains(R.Last) && !FillsOthers &&
        all_of(Other, [&](Value *Chooser) {
          return !Varies(Chooser) || IsOfFirst(Chooser);
        }))
      return false;
    if (any_of(Of, Varies))
      return true;
  }
  return false;
}

bool heddle::isRepeatedInside(const UninterruptedRegion &R,
                              const LoopContext &C) {
  return movesOn(R, C) || takesSeveral(R, C);
}
