//===- Report.h - Advice in the user's words --------------------*- C++ -*-===//

#ifndef HEDDLE_PASSES_ADVISE_REPORT_H
#define HEDDLE_PASSES_ADVISE_REPORT_H

#include "advise/Advice.h"

namespace llvm {
class Module;
} // namespace llvm

namespace heddle {

/// Makes a remark on each loop of \p Ranked, in this order, and writes the list
/// to the file that -heddle-advise-file names.
void reportAdvice(llvm::Module &M, const std::vector<LoopAdvice> &Ranked);

/// Says that there is no advice because nothing is optimised.
void reportOptimizationOff(llvm::Module &M);

} // namespace heddle

#endif
