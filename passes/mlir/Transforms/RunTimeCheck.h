//===- RunTimeCheck.h - Checks that end a program ---------------*- C++ -*-===//
//
// cf.assert prints its message to a buffer that is lost when the program is
// aborted, unless it is a terminal's. These messages reach standard error.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_MLIR_TRANSFORMS_RUNTIMECHECK_H
#define HEDDLE_PASSES_MLIR_TRANSFORMS_RUNTIMECHECK_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace heddle {

/// Ends the program, which is \p Module, at \p B with \p Message unless \p
/// Holds. The program may declare the functions of the C library that this
/// takes. Fails, with an error, if it gives their names another meaning.
mlir::LogicalResult require(mlir::ImplicitLocOpBuilder &B,
                            mlir::ModuleOp Module, mlir::Value Holds,
                            llvm::StringRef Message);

} // namespace heddle

#endif
