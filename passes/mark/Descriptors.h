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

/// What the variable at \p Address is a part of; adds to \p Offset where it
/// lies there. A part of a copy is that of the original.
llvm::Value *originOf(llvm::Value *Address, llvm::APInt &Offset,
                      const llvm::DataLayout &DL);

} // namespace heddle

#endif
