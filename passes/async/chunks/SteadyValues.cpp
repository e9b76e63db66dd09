//===- SteadyValues.cpp - Values that are the same in all chunks ----------===//

#include "async/chunks/SteadyValues.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace heddle;

bool SteadyValues::isSteady(const Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !Around.contains(I))
    return true;
  if (Inner.contains(I) || isa<PHINode>(I) || I->mayHaveSideEffects() ||
      I->isTerminator())
    return false;
  auto [Place, IsNew] = Known.try_emplace(V, false);
  if (!IsNew)
    return Place->second;
  // Apart from the bounds, OpenMP reads nothing here. Other loads have been
  // moved out of the inner loop, because its iterations do not change what they
  // read.
  auto *Load = dyn_cast<LoadInst>(I);
  if (Load ? !Load->isSimple() ||
                 Bounds.contains(getUnderlyingObject(Load->getPointerOperand()))
           : I->mayReadOrWriteMemory() || isa<CallBase>(I))
    return false;
  const bool IsSteady =
      all_of(I->operands(), [&](const Value *Of) { return isSteady(Of); });
  return Known[V] = IsSteady;
}

bool SteadyValues::isSteady(const SCEV *S) {
  return !SCEVExprContains(S, [&](const SCEV *Part) {
    if (auto *Variable = dyn_cast<SCEVAddRecExpr>(Part))
      return Around.contains(Variable->getLoop());
    auto *Leaf = dyn_cast<SCEVUnknown>(Part);
    return isa<SCEVCouldNotCompute>(Part) ||
           (Leaf && !isSteady(Leaf->getValue()));
  });
}

bool SteadyValues::followsFromNumber(const SCEV *Start, const SCEV *Step,
                                     const SCEV *Number) {
  if (!isSteady(Step))
    return false;
  Type *Distances = SE.getEffectiveSCEVType(Start->getType());
  if (SE.getTypeSizeInBits(Distances) > 64)
    return false;
  const SCEV *By = SE.getTruncateOrNoop(Number, Distances);
  return isSteady(
      SE.getAddExpr(Start, SE.getNegativeSCEV(SE.getMulExpr(
                               SE.getTruncateOrNoop(Step, Distances), By))));
}

namespace {

/// Looks for a part of an expression that does not follow from the iteration's
/// number.
struct Search {
  const Loop &Inner;
  SteadyValues &Values;
  const SCEV *Number;
  ScalarEvolution &SE;

  bool holds(const SCEV *S) const {
    if (auto *Variable = dyn_cast<SCEVAddRecExpr>(S);
        Variable && Variable->getLoop() == &Inner)
      return Variable->isAffine() &&
             Values.followsFromNumber(Variable->getStart(),
                                      Variable->getStepRecurrence(SE), Number);
    if (auto *Leaf = dyn_cast<SCEVUnknown>(S)) {
      auto *I = dyn_cast<Instruction>(Leaf->getValue());
      return (I && Inner.contains(I)) || Values.isSteady(Leaf->getValue());
    }
    if (isa<SCEVCouldNotCompute>(S))
      return false;
    return all_of(S->operands(), [&](const SCEV *Part) { return holds(Part); });
  }
};

} // namespace

bool SteadyValues::followsFromNumber(const SCEV *S, const SCEV *Number) {
  return Search{Inner, *this, Number, SE}.holds(S);
}
