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
    ArrayRef<ObjectUse> Whole, SmallSetVector<const SCEV *, 2> &NonZero,
    function_ref<void(Instruction *, Instruction *)> Add) const {
  SmallSetVector<const SCEV *, 2> Found;
  auto AddUnlessApart = [&](Instruction *Read, Instruction *Write,
                            const SCEV *Apart) {
    if (Found.size() < MostChecks)
      Found.insert(Apart);
    if (!Found.contains(Apart))
      Add(Read, Write);
  };
  for (const Access &Write : Latency.accesses()) {
    if (!Write.Writes || isa<MemIntrinsic>(Write.I) ||
        isLocal(Write.Address, Locals, Frames) ||
        distinctPerIteration(Write.Address, Write.Bytes, C.L, C.SE))
      continue;
    for (const Access &Read : Latency.accesses()) {
      if (!areTakenForTwo(Read, Write) ||
          !Dependences.dependsOnWayFrom(Write.I, Read.I))
        continue;
      if (const SCEV *Apart = apartFrom(Read, Write))
        AddUnlessApart(Read.I, Write.I, Apart);
      else if (mayBeFoundAgain(Read.Address, Write.Address))
        Add(Read.I, Write.I);
    }
  }
  SmallVector<ObjectUse> All(Whole);
  for (const Access &A : Latency.accesses())
    if (!isa<MemIntrinsic>(A.I) && !isLocal(A.Address, Locals, Frames))
      All.push_back({A.I, A.Address, isa<LoadInst>(A.I), A.Writes});
  auto AddWhole = [&](const ObjectUse &Read, const ObjectUse &Write) {
    if (areInTwo(Read, Write) && Dependences.dependsOnWayFrom(Write.I, Read.I))
      if (const SCEV *Apart = beginningsApart(Read.Address, Write.Address);
          Apart && (choosesPlace(Read) || choosesPlace(Write) ||
                    mayBeOneElement(Read.Address, Write.Address, C.L, Frames)))
        AddUnlessApart(Read.I, Write.I, Apart);
  };
  for (const ObjectUse &One : Whole)
    for (const ObjectUse &Other : All) {
      AddWhole(One, Other);
      AddWhole(Other, One);
    }
  NonZero.insert_range(Found);
}

/// True if a callee chooses the place, in an array that is the same for all
/// iterations.
bool ArrayOverlaps::choosesPlace(const ObjectUse &Use) const {
  return isa<CallBase>(Use.I) && !isa<MemIntrinsic>(Use.I) &&
         C.L.isLoopInvariant(Use.Address);
}

/// True if the one use reads and the other one writes in different objects,
/// which may be one.
bool ArrayOverlaps::areInTwo(const ObjectUse &Read,
                             const ObjectUse &Write) const {
  const Value *From = Frames.object(Read.Address),
              *To = Frames.object(Write.Address);
  return Read.Reads && Write.Writes && Read.I != Write.I && From != To &&
         !areArraysApart(Read.Address, Write.Address, C.L) &&
         !C.AA.isNoAlias(MemoryLocation::getBeforeOrAfter(From),
                         MemoryLocation::getBeforeOrAfter(To));
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
bool ArrayOverlaps::mayBeFoundAgain(Value *Read, Value *Write) const {
  return !(C.L.isLoopInvariant(Frames.object(Read)) &&
           C.L.isLoopInvariant(Frames.object(Write))) &&
         (mayBeOneElement(Read, Write, C.L, Frames) ||
          mayBeFoundByIndex(Read, Write, C.L, Frames));
}

/// From \p From to \p To , in bytes.
static const SCEV *distanceBetween(const Value *From, const Value *To,
                                   ScalarEvolution &SE) {
  auto AsNumber = [&](const Value *Address) {
    return SE.getLosslessPtrToIntExpr(SE.getSCEV(const_cast<Value *>(Address)));
  };
  const SCEV *First = AsNumber(From), *Second = AsNumber(To);
  if (isa<SCEVCouldNotCompute>(First) || isa<SCEVCouldNotCompute>(Second))
    return SE.getCouldNotCompute();
  return SE.getMinusSCEV(Second, First);
}

static bool isKnownBefore(const SCEV *Distance, const LoopContext &C) {
  return !isa<SCEVCouldNotCompute, SCEVConstant>(Distance) &&
         C.SE.isLoopInvariant(Distance, &C.L);
}

/// What is zero before the loop if the two addresses lead into one array with
/// one beginning. Null if that cannot be computed.
const SCEV *ArrayOverlaps::beginningsApart(Value *Read, Value *Write) const {
  const SCEV *Beginnings =
      distanceBetween(Frames.object(Read), Frames.object(Write), C.SE);
  return isKnownBefore(Beginnings, C) ? Beginnings : nullptr;
}

/// What is zero before the loop if \p Write may be to what \p Read reads in the
/// same iteration: where both are in one array, at one byte, or, if that is not
/// the same for all iterations but the indices may be, if it has one beginning.
/// Null if that cannot be computed.
const SCEV *ArrayOverlaps::apartFrom(const Access &Read,
                                     const Access &Write) const {
  const SCEV *Distance = distanceBetween(Read.Address, Write.Address, C.SE);
  if (!isKnownBefore(Distance, C))
    return mayBeOneElement(Read.Address, Write.Address, C.L, Frames)
               ? beginningsApart(Read.Address, Write.Address)
               : nullptr;
  Type *Number = Distance->getType();
  return C.SE.getUDivExpr(
      C.SE.getAddExpr(Distance, C.SE.getConstant(Number, Write.Bytes - 1)),
      C.SE.getConstant(Number, Read.Bytes + Write.Bytes - 1));
}
