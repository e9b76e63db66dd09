//===- Arrays.h - Arrays and captures of pulls ------------------*- C++ -*-===//
//
// The types of the dialect's operands, for passes that make its operations of
// others.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_MLIR_TRANSFORMS_ARRAYS_H
#define HEDDLE_PASSES_MLIR_TRANSFORMS_ARRAYS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Matchers.h"

namespace heddle {

/// True for element types of the arrays that heddle.pull reads.
inline bool isElement(mlir::Type T) {
  return T.isF32() || T.isF64() || T.isSignlessInteger(8) ||
         T.isSignlessInteger(16) || T.isSignlessInteger(32) ||
         T.isSignlessInteger(64);
}

inline mlir::Type elementOf(mlir::Value Array) {
  return llvm::cast<mlir::MemRefType>(Array.getType()).getElementType();
}

/// An array in memory that heddle.pack and heddle.pull can read.
inline bool isArray(mlir::Value V) {
  auto Type = llvm::dyn_cast<mlir::MemRefType>(V.getType());
  return Type && Type.getRank() == 1 && Type.getLayout().isIdentity() &&
         !Type.getMemorySpace() &&
         (isElement(Type.getElementType()) || Type.getElementType().isIndex());
}

/// True if the body of a heddle.pull can capture \p V.
inline bool isCapture(mlir::Value V) {
  if (llvm::isa<mlir::MemRefType>(V.getType()))
    return isArray(V) && isElement(elementOf(V));
  return isElement(V.getType()) || V.getType().isIndex() ||
         V.getType().isSignlessInteger(1);
}

/// True if \p V is \p Row + 1.
inline bool isNext(mlir::Value V, mlir::Value Row) {
  auto Add = V ? V.getDefiningOp<mlir::arith::AddIOp>() : nullptr;
  return Add && ((Add.getLhs() == Row &&
                  mlir::matchPattern(Add.getRhs(), mlir::m_One())) ||
                 (Add.getRhs() == Row &&
                  mlir::matchPattern(Add.getLhs(), mlir::m_One())));
}

} // namespace heddle

#endif
