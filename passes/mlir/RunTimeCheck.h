//===- RunTimeCheck.h - Checks that end a program ---------------*- C++ -*-===//
//
// cf.assert prints its message to a buffer that is lost when the program is
// aborted, unless it is a terminal's. These messages reach standard error.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_MLIR_RUNTIMECHECK_H
#define HEDDLE_PASSES_MLIR_RUNTIMECHECK_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace heddle {

/// Ends the program, which is \p Module, at \p B with \p Message unless \p
/// Holds. Fails, with an error, if the program gives the C library's names
/// another meaning.
mlir::LogicalResult require(mlir::ImplicitLocOpBuilder &B,
                            mlir::ModuleOp Module, mlir::Value Holds,
                            llvm::StringRef Message);

} // namespace heddle

#endif
