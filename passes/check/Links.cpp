//===- Links.cpp - Lists that iterations append to ------------------------===//

#include "check/Links.h"
#include "check/Elements.h"
#include "check/Order.h"
#include "ir/Instructions.h"
#include "llvm/Analysis/ValueTracking.h"

using namespace llvm;
using namespace heddle;

static SmallVector<StoreInst *> pointerStores(const Loop &L) {
  SmallVector<StoreInst *> Stores;
  for (Instruction &I : instructionsIn(L.blocks()))
    if (auto *Store = dyn_cast<StoreInst>(&I))
      if (Store->getValueOperand()->getType()->isPointerTy() &&
          !Store->isAtomic())
        Stores.push_back(Store);
  return Stores;
}

DenseSet<Instruction *> heddle::findLinkedPlaces(const Loop &L) {
  DenseSet<Instruction *> Accesses;
  const SmallVector<StoreInst *> Stores = pointerStores(L);
  for (StoreInst *Link : Stores) {
    auto *Head = dyn_cast<LoadInst>(Link->getValueOperand());
    if (!Head || !L.contains(Head) ||
        !isFixedInLoop(Head->getPointerOperand(), L) ||
        isSameAddress(Head->getPointerOperand(), Link->getPointerOperand()))
      continue;
    for (StoreInst *Next : Stores)
      if (Next->getValueOperand() != Head &&
          isSameAddress(Next->getPointerOperand(), Head->getPointerOperand())) {
        Accesses.insert(Head);
        Accesses.insert(Next);
      }
  }
  return Accesses;
}

/// True if \p Link writes the old end of the list, \p Phi, into the new one,
/// \p Next, or the other way round.
static bool links(const StoreInst &Link, const PHINode &Phi,
                  const Value *Next) {
  const Value *Written = Link.getValueOperand();
  const Value *Into = getUnderlyingObject(Link.getPointerOperand());
  const Value *Node = getUnderlyingObject(Next);
  return (Written == &Phi && Into == Node) || (Into == &Phi && Written == Node);
}

SmallVector<LinkedVariable, 1> heddle::findLinkedVariables(const Loop &L) {
  SmallVector<LinkedVariable, 1> Found;
  const BasicBlock *Latch = L.getLoopLatch();
  if (!Latch)
    return Found;
  const SmallVector<StoreInst *> Stores = pointerStores(L);
  for (PHINode &Phi : L.getHeader()->phis()) {
    if (!Phi.getType()->isPointerTy())
      continue;
    const Value *Next = Phi.getIncomingValueForBlock(Latch);
    // The elements of an array may have one underlying object.
    if (getUnderlyingObject(Next) == &Phi)
      continue;
    for (StoreInst *Link : Stores)
      if (links(*Link, Phi, Next)) {
        Found.push_back({&Phi, Link});
        break;
      }
  }
  return Found;
}
