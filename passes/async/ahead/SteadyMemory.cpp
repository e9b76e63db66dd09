//===- SteadyMemory.cpp - Memory that stays as it is ----------------------===//

#include "async/ahead/SteadyMemory.h"
#include "async/analysis/AccessRelations.h"
#include "async/analysis/FrameValues.h"
#include "async/order/TurnPoint.h"
#include "ir/Instructions.h"
#include "loop/Worksharing.h"
#include "mark/MarkProtocol.h"
#include "mark/Marks.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace heddle;

/// True if \p I changes no memory but what the allocator has.
static bool leavesMemory(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  return !I.mayWriteToMemory() || I.isLifetimeStartOrEnd() ||
         isa<AssumeInst, NoAliasScopeDeclInst>(I) ||
         (Call &&
          (isNewOrDelete(*Call) || calleeName(*Call) == AsyncMarkerName));
}

SteadyMemory::SteadyMemory(const LoopContext &C, const LoopFacts &Facts)
    : AA(C.AA) {
  // What is written in one iteration may be read in the next one.
  AA.enableCrossIterationMode();
  const FrameValues Frames(C);
  SmallPtrSet<const Instruction *, 16> Uses;
  for (const OrderedUse &Use : findOrderedUses(C, Facts))
    Uses.insert(Use.At);
  const bool IsShared = isWorksharing(C.L, C.DT);
  for (Instruction &I : instructionsIn(C.L.blocks())) {
    Value *Address = accessedAddress(I);
    if (!leavesMemory(I) &&
        (IsShared ? Uses.contains(&I)
                  : !Address || !isLocal(Address, Facts.Locals, Frames)))
      Writes.push_back(&I);
  }
}

bool SteadyMemory::isReadBy(const LoadInst &Load,
                            function_ref<bool(const CallBase &)> Known) {
  MemoryLocation Place = MemoryLocation::get(&Load);
  // These speak of one iteration.
  Place.AATags.Scope = Place.AATags.NoAlias = nullptr;
  return none_of(Writes, [&](Instruction *Write) {
    auto *Call = dyn_cast<CallBase>(Write);
    return !(Call && Known(*Call)) && isModSet(AA.getModRefInfo(Write, Place));
  });
}
