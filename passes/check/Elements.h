//===- Elements.h - Accesses to one place or one element --------*- C++ -*-===//
//
// Compares addresses as the source spells them: equal expressions, whose loads
// are from equal addresses and whose calls (such as of operator[]) have equal
// arguments, are taken to be equal.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_CHECK_ELEMENTS_H
#define HEDDLE_PASSES_CHECK_ELEMENTS_H

namespace llvm {
class Value;
}

namespace heddle {

/// True if \p A and \p B are one number, but for conversions between integer
/// types.
bool isSameNumber(const llvm::Value *A, const llvm::Value *B);

/// True if the addresses \p A and \p B are equal expressions.
bool isSameAddress(const llvm::Value *A, const llvm::Value *B);

/// True if they are addresses of fields of one structure, or in arrays at one
/// index.
bool isSameElement(const llvm::Value *A, const llvm::Value *B);

/// True if \p Address is a variable, or a field that is found through pointers
/// in variables and arguments, without an index.
bool isFixedPlace(const llvm::Value *Address);

} // namespace heddle

#endif
