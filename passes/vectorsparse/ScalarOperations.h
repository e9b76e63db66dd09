//===- ScalarOperations.h - Instructions as operations of MLIR --*- C++ -*-===//

#ifndef HEDDLE_PASSES_VECTORSPARSE_SCALAROPERATIONS_H
#define HEDDLE_PASSES_VECTORSPARSE_SCALAROPERATIONS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/IR/Instruction.h"

namespace heddle {

/// Returns the MLIR type of scalars of type \p T, or null if bodies of
/// heddle.pull cannot have such values.
mlir::Type scalarType(mlir::MLIRContext &Context, llvm::Type *T);

/// True for types of values that a body captures or yields.
bool isElement(mlir::Type Type);

/// Returns a name by which a user may know \p I.
std::string nameOf(const llvm::Instruction &I);

mlir::arith::FastMathFlags fastMathOf(const llvm::Value &V);

/// Creates the elementwise operation that corresponds to \p I, on \p Operands,
/// or returns null if there is none.
mlir::Value mapOperation(mlir::ImplicitLocOpBuilder &B, llvm::Instruction &I,
                         llvm::ArrayRef<mlir::Value> Operands);

} // namespace heddle

#endif
