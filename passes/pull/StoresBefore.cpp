//===- StoresBefore.cpp - Stores of a row before its edges ----------------===//

#include "pull/StoresBefore.h"
#include "ir/Instructions.h"
#include "pull/PullNest.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"

using namespace llvm;
using namespace heddle;

namespace {

class StoreReader {
  const PullNest &Nest;
  ScalarEvolution &SE;
  AAResults &AA;

public:
  StoreReader(const PullNest &Nest, const LoopContext &C)
      : Nest(Nest), SE(C.SE), AA(C.AA) {}

  MaybeRefusal read(StoreInst &Store) {
    MemoryLocation Place = MemoryLocation::get(&Store);
    bool IsRowsOwn = isRowsOwn(Store);
    for (Instruction &I : instructionsIn(Nest.Outer->blocks())) {
      bool IsBehind =
          !Nest.Before.contains(I.getParent()) && !Nest.Inner->contains(&I);
      // Code behind the edges runs once, on the thread that ends the row, and
      // sees the stores of all threads in shared memory.
      if ((!IsBehind || !IsRowsOwn) && sees(I, Place, IsRowsOwn))
        return refuse(RefusalKind::StoreBefore, &Store);
    }
    return std::nullopt;
  }

private:
  /// Whether \p Store writes to an address that only this row stores to, and
  /// that does not belong to the thread.
  bool isRowsOwn(StoreInst &Store) const {
    Value *Address = Store.getPointerOperand();
    auto *Steps = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Address));
    return Steps && Steps->getLoop() == Nest.Outer &&
           !isa<AllocaInst>(getUnderlyingObject(Address));
  }

  /// Whether \p I may read the value that was stored to \p Place.
  bool sees(Instruction &I, const MemoryLocation &Place, bool IsRowsOwn) {
    if (!I.mayReadFromMemory() || isOffset(I) ||
        !isRefSet(AA.getModRefInfo(&I, Place)))
      return false;
    // Loads for an edge do not read the stores of rows, unless both are to the
    // same object.
    const Value *Address = getLoadStorePointerOperand(&I);
    return !Nest.Inner->contains(&I) || !IsRowsOwn || !Address ||
           getUnderlyingObject(Address) == getUnderlyingObject(Place.Ptr);
  }

  /// Whether \p I loads the beginning or the end of edges, which never changes.
  bool isOffset(const Instruction &I) const {
    return &I == Nest.Begin || &I == Nest.End ||
           any_of(Nest.CarriedLoads, [&](const CarriedLoad &Carried) {
             return Carried.Load == &I;
           });
  }
};

} // namespace

MaybeRefusal heddle::checkStoresBefore(const PullNest &Nest,
                                       const LoopContext &C) {
  assert(Nest.Inner && Nest.Begin && Nest.End && "before it is rewritten");
  StoreReader Reader(Nest, C);
  for (Instruction &I : instructionsIn(Nest.Before))
    if (auto *Store = dyn_cast<StoreInst>(&I))
      if (MaybeRefusal Why = Reader.read(*Store))
        return Why;
  return std::nullopt;
}
