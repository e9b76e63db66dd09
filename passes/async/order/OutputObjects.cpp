//===- OutputObjects.cpp - Where iterations append ------------------------===//

#include "async/order/OutputObjects.h"
#include "ir/Instructions.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace heddle;

/// What \p Address may point into. What a variable is when the loop begins, and
/// is set to in it, stands for the variable.
static SmallVector<UsedObject, 4> arraysAt(const Value *Address) {
  SmallVector<const Value *, 4> Roots;
  getUnderlyingObjects(Address, Roots, /*LI=*/nullptr, /*MaxLookup=*/0);
  SmallVector<UsedObject, 4> Objects;
  for (const Value *Root : Roots)
    if (!isa<ConstantPointerNull, UndefValue>(Root))
      Objects.push_back(usedObject(Root));
  return Objects;
}

/// The pointer that \p V is the number of, or that it is; null if it is none.
static const Value *pointerIn(const Value *V) {
  if (auto *Number = dyn_cast<PtrToIntInst>(V))
    V = Number->getPointerOperand();
  return V->getType()->isPointerTy() ? V : nullptr;
}

OutputObjects::OutputObjects(const Loop &L, ArrayRef<const Value *> Places)
    : Frames(L) {
  for (const Value *Place : Places)
    add(Place);
  if (Objects.empty())
    return;
  // Pairs of pointers into one array.
  SmallVector<std::pair<const Value *, const Value *>> Pairs;
  for (const Instruction &I : instructionsIn(L.blocks()))
    if (isa<ICmpInst>(I) || I.getOpcode() == Instruction::Sub) {
      const Value *One = pointerIn(I.getOperand(0));
      const Value *Other = pointerIn(I.getOperand(1));
      if (One && Other)
        Pairs.push_back({One, Other});
    }
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (auto [One, Other] : Pairs) {
      if (contain(One))
        Changed |= add(Other);
      if (contain(Other))
        Changed |= add(One);
    }
  }
}

/// Adds what \p Address may point into. False if that was known.
bool OutputObjects::add(const Value *Address) {
  bool IsNew = false;
  for (UsedObject &Object : arraysAt(Address))
    if (!is_contained(Objects, Object)) {
      Objects.push_back(std::move(Object));
      IsNew = true;
    }
  return IsNew;
}

bool OutputObjects::contain(const Value *Address) const {
  return any_of(arraysAt(Address), [&](const UsedObject &One) {
    return any_of(Objects, [&](const UsedObject &Object) {
      return Object.isSame(One, Frames);
    });
  });
}

bool OutputObjects::areReadBy(const Instruction &I) const {
  if (isa<LoadInst, AtomicRMWInst, AtomicCmpXchgInst>(I))
    return contain(accessedAddress(I));
  if (auto *Copy = dyn_cast<AnyMemIntrinsic>(&I))
    return isa<AnyMemTransferInst>(Copy) &&
           contain(cast<AnyMemTransferInst>(Copy)->getRawSource());
  auto *Call = dyn_cast<CallBase>(&I);
  return Call && !I.isLifetimeStartOrEnd() &&
         any_of(Call->args(), [&](const Value *Argument) {
           return Argument->getType()->isPointerTy() && contain(Argument);
         });
}
