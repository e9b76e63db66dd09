//===- ArrayOverlaps.cpp - Arrays that must not be one --------------------===//

#include "async/regions/ArrayOverlaps.h"
#include "async/analysis/AccessRelations.h"
#include "async/analysis/SameElement.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace heddle;

/// Comparing more pairs of pointers before the loop costs more than it is
/// worth.
static constexpr unsigned MostChecks = 8;

void ArrayOverlaps::find(
    SmallSetVector<const SCEV *, 2> &NonZero,
    function_ref<void(Instruction *, Instruction *)> Add) const {
  SmallSetVector<const SCEV *, 2> Found;
  for (const Access &Write : Latency.accesses()) {
    if (!isa<StoreInst>(Write.I) || isLocal(Write.Address, Locals, Frames) ||
        distinctPerIteration(Write.Address, Write.Bytes, C.L, C.SE))
      continue;
    for (const Access &Read : Latency.accesses()) {
      if (!areTakenForTwo(Read, Write) ||
          !Dependences.dependsOnWayFrom(Write.I, Read.I))
        continue;
      const SCEV *Apart = apartFrom(Read, Write);
      if (Apart && Found.size() < MostChecks)
        Found.insert(Apart);
      if (Apart ? !Found.contains(Apart) : mayBeFoundAgain(Read, Write))
        Add(Read.I, Write.I);
    }
  }
  NonZero.insert_range(Found);
}

/// True if the accesses are in one array only if two pointers that do not
/// change in the loop are equal, or lead into one object.
bool ArrayOverlaps::areTakenForTwo(const Access &Read,
                                   const Access &Write) const {
  const Value *From = Frames.object(Read.Address),
              *To = Frames.object(Write.Address);
  auto AnyIn = [](const Value *Object, const Access &A) {
    return MemoryLocation::getBeforeOrAfter(Object, A.I->getAAMetadata());
  };
  return isa<LoadInst>(Read.I) && From != To &&
         !isLocal(Read.Address, Locals, Frames) &&
         !areArraysApart(Read.Address, Write.Address, C.L) &&
         !C.AA.isNoAlias(AnyIn(From, Read), AnyIn(To, Write)) &&
         !mayBeSameField(Read, Write, C.L, Frames, C.AA);
}

/// True if the iteration reads one of the pointers from memory, so that it
/// cannot be compared before the loop, and the indices may be the same.
bool ArrayOverlaps::mayBeFoundAgain(const Access &Read,
                                    const Access &Write) const {
  return !(C.L.isLoopInvariant(Frames.object(Read.Address)) &&
           C.L.isLoopInvariant(Frames.object(Write.Address))) &&
         mayBeOneElement(Read.Address, Write.Address, C.L, Frames);
}

/// What is zero before the loop if \p Write may be to what \p Read reads in the
/// same iteration: where both are in one array, at one byte, or, if that is not
/// the same for all iterations but the indices may be, if it has one beginning.
/// Null if that cannot be computed.
const SCEV *ArrayOverlaps::apartFrom(const Access &Read,
                                     const Access &Write) const {
  auto Between = [&](const Value *From, const Value *To) {
    auto AsNumber = [&](const Value *Address) {
      return C.SE.getLosslessPtrToIntExpr(
          C.SE.getSCEV(const_cast<Value *>(Address)));
    };
    const SCEV *First = AsNumber(From), *Second = AsNumber(To);
    if (isa<SCEVCouldNotCompute>(First) || isa<SCEVCouldNotCompute>(Second))
      return First;
    return C.SE.getMinusSCEV(Second, First);
  };
  auto IsKnownBefore = [&](const SCEV *Distance) {
    return !isa<SCEVCouldNotCompute, SCEVConstant>(Distance) &&
           C.SE.isLoopInvariant(Distance, &C.L);
  };
  const SCEV *Distance = Between(Read.Address, Write.Address);
  if (IsKnownBefore(Distance)) {
    Type *Number = Distance->getType();
    return C.SE.getUDivExpr(
        C.SE.getAddExpr(Distance, C.SE.getConstant(Number, Write.Bytes - 1)),
        C.SE.getConstant(Number, Read.Bytes + Write.Bytes - 1));
  }
  const SCEV *Beginnings =
      Between(Frames.object(Read.Address), Frames.object(Write.Address));
  return IsKnownBefore(Beginnings) &&
                 mayBeOneElement(Read.Address, Write.Address, C.L, Frames)
             ? Beginnings
             : nullptr;
}
