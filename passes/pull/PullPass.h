//===- PullPass.h - Balance pull loops by edges -----------------*- C++ -*-===//
//
// Rewrites each loop under `#pragma heddle pull`, a nest of rows and their
// edges that OpenMP distributes by rows, so that threads take equal numbers of
// edges instead ("Making Pull-Based Graph Processing Performant", section 3). A
// row is combined in a register and stored once; nothing is atomic.
//
// Order of work, one file each: MemoryAccumulators (rows combined in memory),
// PullNest (the form of the nest, with Combine for its combinations),
// Worksharing (OpenMP's loop around it), EdgeChunks (the rewrite, with CutRows
// for the body of a row). Other loops are left alone and a remark says why.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_PULL_PULLPASS_H
#define HEDDLE_PASSES_PULL_PULLPASS_H

#include "mark/Outcomes.h"

namespace heddle {

class PullPass : public llvm::PassInfoMixin<PullPass> {
  std::shared_ptr<Outcomes> LoopOutcomes;

public:
  explicit PullPass(std::shared_ptr<Outcomes> LoopOutcomes)
      : LoopOutcomes(std::move(LoopOutcomes)) {}
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
  static bool isRequired() { return true; }
};

} // namespace heddle

#endif
