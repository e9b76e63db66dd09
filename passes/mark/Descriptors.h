//===- Descriptors.h - How Flang gets at arrays -----------------*- C++ -*-===//
//
// Flang knows most arrays by descriptors, which hold an array's address and
// bounds. Before it looks into one that may change, it copies it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_MARK_DESCRIPTORS_H
#define HEDDLE_PASSES_MARK_DESCRIPTORS_H

#include "llvm/ADT/APInt.h"

namespace llvm {
class DataLayout;
class Type;
class Value;
} // namespace llvm

namespace heddle {

/// True for Flang's descriptors: address, element size, version, four more.
bool isDescriptor(llvm::Type *T);

/// A variable, and the position of an address in it.
struct Origin {
  llvm::Value *Base;
  llvm::APInt Offset;
};

/// Returns the variable that contains \p Address. Looks through copies to the
/// original.
Origin originOf(llvm::Value *Address, const llvm::DataLayout &DL);

} // namespace heddle

#endif
