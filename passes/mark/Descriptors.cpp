//===- Descriptors.cpp - How Flang gets at arrays -------------------------===//

#include "mark/Descriptors.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace heddle;

bool heddle::isDescriptor(Type *T) {
  auto *Struct = dyn_cast<StructType>(T);
  if (!Struct || Struct->getNumElements() < 7 ||
      !Struct->getElementType(0)->isPointerTy() ||
      !Struct->getElementType(1)->isIntegerTy(64) ||
      !Struct->getElementType(2)->isIntegerTy(32))
    return false;
  for (unsigned Field = 3; Field < 7; ++Field)
    if (!Struct->getElementType(Field)->isIntegerTy(8))
      return false;
  return true;
}

/// The instruction that alone writes the local variable \p Copied, if it
/// copies something else into the whole of it.
static const MemCpyInst *onlyCopyInto(const Value *Copied) {
  auto *Alloca = dyn_cast<AllocaInst>(Copied);
  const MemCpyInst *Only = nullptr;
  if (!Alloca)
    return nullptr;
  SmallVector<const User *> Users(Alloca->users());
  while (!Users.empty()) {
    const User *U = Users.pop_back_val();
    if (isa<GetElementPtrInst>(U)) {
      append_range(Users, U->users());
      continue;
    }
    auto *Copy = dyn_cast<MemCpyInst>(U);
    if (isa<LoadInst>(U) || cast<Instruction>(U)->isLifetimeStartOrEnd() ||
        (Copy && Copy->getDest() != Alloca))
      continue;
    if (!Copy || Only || Copy->getSource() == Alloca)
      return nullptr;
    Only = Copy;
  }
  return Only;
}

Origin heddle::originOf(Value *Address, const DataLayout &DL) {
  APInt Offset(DL.getIndexTypeSizeInBits(Address->getType()), 0);
  while (true) {
    Address = Address->stripAndAccumulateConstantOffsets(
        DL, Offset, /*AllowNonInbounds=*/true);
    auto *Phi = dyn_cast<PHINode>(Address);
    const MemCpyInst *Copy = onlyCopyInto(Address);
    if (Phi && Phi->getNumIncomingValues() == 1)
      Address = Phi->getIncomingValue(0);
    else if (Copy)
      Address = Copy->getSource();
    else
      return {Address, Offset};
  }
}
