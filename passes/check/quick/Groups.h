//===- Groups.h - Which accesses are recorded together ----------*- C++ -*-===//

#ifndef HEDDLE_PASSES_CHECK_QUICK_GROUPS_H
#define HEDDLE_PASSES_CHECK_QUICK_GROUPS_H

#include "check/quick/GroupPath.h"

namespace heddle {

/// True if what the runtime is told before \p I, which records no single
/// access, is to be told before it.
bool mayDependOnOrder(const llvm::Instruction &I);

/// Lets \p Records, the calls in \p F that record accesses, be made only where
/// that is needed, and makes one of several where that is the same.
void recordQuickly(llvm::Function &F, llvm::ArrayRef<RecordedAccess> Records,
                   QuickPaths &Quick);

} // namespace heddle

#endif
