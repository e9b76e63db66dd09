//===- HeddlePasses.h - Passes over the heddle dialect ----------*- C++ -*-===//

#ifndef HEDDLE_PASSES_MLIR_HEDDLEPASSES_H
#define HEDDLE_PASSES_MLIR_HEDDLEPASSES_H

#include "mlir/HeddleDialect.h"
#include "mlir/Pass/Pass.h"

namespace heddle {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "mlir/HeddlePasses.h.inc"

/// Adds to \p Manager, for modules: everything from heddle.pull in functions of
/// the llvm dialect or of func to the llvm dialect alone.
void addPullToLLVM(mlir::OpPassManager &Manager,
                   const LowerPullPassOptions &Options);

/// Makes addPullToLLVM known as `heddle-pull-to-llvm`.
void registerPullToLLVM();

} // namespace heddle

#endif
