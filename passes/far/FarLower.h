//===- FarLower.h - Accesses to far memory become calls ---------*- C++ -*-===//
//
// A far pointer is an ordinary pointer of another address space until all loops
// that wait for it have been split. Then each load and store of it becomes a
// call of the runtime (heddle/amu.h), which waits if the page is not there.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_FAR_FARLOWER_H
#define HEDDLE_PASSES_FAR_FARLOWER_H

#include "llvm/IR/PassManager.h"

namespace heddle {

/// Lowers accesses to far memory to calls. An access that cannot be lowered is
/// a compilation error.
class FarLowerPass : public llvm::PassInfoMixin<FarLowerPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
  /// No far access may remain, at any optimization level.
  static bool isRequired() { return true; }
};

} // namespace heddle

#endif
