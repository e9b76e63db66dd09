//===- Descriptors.h - How Flang gets at arrays -----------------*- C++ -*-===//
//
// Flang knows most arrays by descriptors, which hold an array's address and
// bounds. Before it looks into one that may change, it copies it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_MARK_DESCRIPTORS_H
#define HEDDLE_PASSES_MARK_DESCRIPTORS_H

namespace llvm {
class APInt;
class DataLayout;
class Type;
class Value;
} // namespace llvm

namespace heddle {

/// True for Flang's descriptors: address, element size, version, four more.
bool isDescriptor(llvm::Type *T);

/// Returns the variable that contains \p Address, and adds the position in it
/// to \p Offset. Looks through copies to the original.
llvm::Value *originOf(llvm::Value *Address, llvm::APInt &Offset,
                      const llvm::DataLayout &DL);

} // namespace heddle

#endif
