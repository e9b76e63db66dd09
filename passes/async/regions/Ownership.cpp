//===- Ownership.cpp - Memory that one task at a time modifies ------------===//

#include "async/regions/Ownership.h"
#include "ir/Instructions.h"
#include "loop/FarAccess.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace heddle;

/// Bytes of a line, the unit that a task owns.
static constexpr uint64_t OwnedBytes = 64;

/// True if an access of type \p T is within one line.
static bool isInLine(Type *T, Align Stated, const DataLayout &DL) {
  const TypeSize Bytes = DL.getTypeStoreSize(T);
  return !Bytes.isScalable() && Bytes.getFixedValue() <= OwnedBytes &&
         Bytes.getFixedValue() <= Stated.value();
}

/// True if \p I may store to \p Place, in this iteration or another.
static bool mayStoreTo(const MemoryLocation &Place, const Instruction &I,
                       AAResults &AA) {
  if (!I.mayWriteToMemory() || I.isLifetimeStartOrEnd())
    return false;
  // Near and far memory are disjoint.
  if (isa<StoreInst, AtomicRMWInst, AtomicCmpXchgInst>(I) && !accessesFar(I))
    return false;
  if (auto *Copy = dyn_cast<MemIntrinsic>(&I); Copy && !isFar(Copy->getDest()))
    return false;
  return isModSet(AA.getModRefInfo(&I, Place));
}

/// True if both halves of \p M are plain accesses of far memory at one address,
/// within one line.
static bool isInFarLine(const Modification &M) {
  const DataLayout &DL = M.Load->getDataLayout();
  return isFar(M.Load->getPointerOperand()) &&
         M.Load->getPointerOperand() == M.Store->getPointerOperand() &&
         M.Load->isSimple() && M.Store->isSimple() &&
         isInLine(M.Load->getType(), M.Load->getAlign(), DL) &&
         isInLine(M.Store->getValueOperand()->getType(), M.Store->getAlign(),
                  DL);
}

bool heddle::canBeOwned(const Modification &M, const LoopContext &C,
                        const Directive &D) {
  assert(M.Load && M.Store && C.L.contains(M.Load) && C.L.contains(M.Store) &&
         "a read-modify-write of an iteration");
  if (!isInFarLine(M))
    return false;
  // Each store must have its load before it.
  if (!C.DT.dominates(M.Load, M.Store) ||
      C.LI.getLoopFor(M.Load->getParent()) !=
          C.LI.getLoopFor(M.Store->getParent()))
    return false;
  // Alias scopes hold within one iteration only.
  AAMDNodes Tags;
  Tags.TBAA = M.Store->getMetadata(LLVMContext::MD_tbaa);
  const auto Place =
      MemoryLocation::getBeforeOrAfter(M.Store->getPointerOperand(), Tags);
  for (const Instruction &I : instructionsIn(C.L.blocks()))
    if (&I != M.Store && &I != D.Marker && mayStoreTo(Place, I, C.AA))
      return false;
  return true;
}
