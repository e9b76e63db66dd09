//===- FarAccess.h - Accesses to far memory ---------------------*- C++ -*-===//

#ifndef HEDDLE_PASSES_LOOP_FARACCESS_H
#define HEDDLE_PASSES_LOOP_FARACCESS_H

#include "ir/Instructions.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace heddle {

/// HEDDLE_FAR_SPACE of heddle/far.h.
constexpr unsigned FarAddressSpace = 100;

inline bool isFar(const llvm::Type *T) {
  auto *Pointer = llvm::dyn_cast<llvm::PointerType>(T->getScalarType());
  return Pointer && Pointer->getAddressSpace() == FarAddressSpace;
}

inline bool isFar(const llvm::Value *Address) {
  return isFar(Address->getType());
}

/// Whether \p I loads from far memory, stores to it, or does both at once.
inline bool accessesFar(const llvm::Instruction &I) {
  const llvm::Value *Address = accessedAddress(I);
  return Address && isFar(Address);
}

/// Returns the far memory that \p I copies or fills as a whole, or null. If
/// both operands of a copy are far, returns the source.
inline llvm::Value *farObject(const llvm::Instruction &I) {
  auto *Copy = llvm::dyn_cast<llvm::MemTransferInst>(&I);
  if (Copy && isFar(Copy->getRawSource()))
    return Copy->getRawSource();
  auto *Change = llvm::dyn_cast<llvm::MemIntrinsic>(&I);
  return Change && isFar(Change->getRawDest()) ? Change->getRawDest() : nullptr;
}

inline bool usesFar(const llvm::Instruction &I) {
  return accessesFar(I) || farObject(I);
}

} // namespace heddle

#endif
