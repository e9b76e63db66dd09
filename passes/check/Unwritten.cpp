//===- Unwritten.cpp - Loads that need no record --------------------------===//

#include "check/Unwritten.h"
#include "mark/Directive.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/TypeBasedAliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace {

class UnwrittenLoads {
  const Loop &L;
  AAResults &AA;
  SmallVector<Instruction *> Writes;
  DenseMap<const LoadInst *, bool> Known;

public:
  UnwrittenLoads(const Loop &L, AAResults &AA) : L(L), AA(AA) {
    const auto Marks = heddle::findMarkers(*L.getHeader()->getParent());
    for (BasicBlock *Block : L.blocks())
      for (Instruction &I : *Block)
        if (I.mayWriteToMemory() && !I.isLifetimeStartOrEnd() &&
            !is_contained(Marks, &I))
          Writes.push_back(&I);
  }

  /// True if what \p Write writes may have the type of what \p Load reads.
  bool mayWriteType(const Instruction &Write, const LoadInst &Load) const {
    auto *Store = dyn_cast<StoreInst>(&Write);
    TypeBasedAAResult Types(/*UsingTypeSanitizer=*/false);
    SimpleAAQueryInfo Query(AA);
    return !Store ||
           Types.alias(MemoryLocation::get(Store), MemoryLocation::get(&Load),
                       Query, nullptr) != AliasResult::NoAlias;
  }

  /// True if no iteration writes what \p Load reads in any iteration.
  bool contain(const LoadInst &Load) {
    if (!Load.isSimple())
      return false;
    if (none_of(Writes,
                [&](Instruction *Write) { return mayWriteType(*Write, Load); }))
      return true;
    // Until it is known that it reads the same pointer each time.
    auto [At, IsNew] = Known.insert({&Load, false});
    if (!IsNew)
      return At->second;
    const Value *Object = getUnderlyingObject(Load.getPointerOperand());
    auto *Pointer = dyn_cast<LoadInst>(Object);
    const bool IsSameObject =
        L.isLoopInvariant(Object) ||
        (Pointer && L.isLoopInvariant(Pointer->getPointerOperand()) &&
         contain(*Pointer));
    // Iterations access other elements of the object.
    const MemoryLocation Place =
        MemoryLocation::getBeforeOrAfter(Object, Load.getAAMetadata());
    const bool IsUnwritten =
        IsSameObject && none_of(Writes, [&](Instruction *Write) {
          return isModSet(AA.getModRefInfo(Write, Place));
        });
    return Known[&Load] = IsUnwritten;
  }
};

} // namespace

DenseMap<const Instruction *, unsigned>
heddle::findUnwritten(ArrayRef<Loop *> Checked, AAResults &AA) {
  DenseMap<const Instruction *, unsigned> Unwritten;
  for (const Loop *Outermost : Checked) {
    auto IsAround = [&](const Loop *L) {
      return L != Outermost && L->contains(Outermost);
    };
    if (any_of(Checked, IsAround))
      continue;
    UnwrittenLoads Loads(*Outermost, AA);
    for (BasicBlock *Block : Outermost->blocks())
      for (Instruction &I : *Block)
        if (auto *Load = dyn_cast<LoadInst>(&I); Load && Loads.contain(*Load))
          Unwritten[Load] = count_if(
              Checked, [&](const Loop *L) { return L->contains(Load); });
  }
  return Unwritten;
}
