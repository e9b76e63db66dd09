//===- SimplifyInlined.h - Tidy up behind inlining --------------*- C++ -*-===//

#ifndef HEDDLE_PASSES_INLINE_SIMPLIFYINLINED_H
#define HEDDLE_PASSES_INLINE_SIMPLIFYINLINED_H

#include "llvm/IR/PassManager.h"

namespace heddle {

/// Simplifies the copies of arguments and results that inlining has left in
/// \p F.
void simplifyInlined(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace heddle

#endif
