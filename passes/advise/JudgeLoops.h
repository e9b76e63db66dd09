//===- JudgeLoops.h - What the candidates of a trial are worth --*- C++ -*-===//

#ifndef HEDDLE_PASSES_ADVISE_JUDGELOOPS_H
#define HEDDLE_PASSES_ADVISE_JUDGELOOPS_H

#include "advise/AdvisePass.h"

namespace heddle {

/// Takes the place of AsyncSplit in a trial. Notes the loops of a function that
/// are worth advising, one of each nest, and empties the function: the rest of
/// the pipeline has nothing to tell.
class JudgeLoopsPass : public llvm::PassInfoMixin<JudgeLoopsPass> {
  std::shared_ptr<Trials> Notes;

public:
  explicit JudgeLoopsPass(std::shared_ptr<Trials> Notes)
      : Notes(std::move(Notes)) {}
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
  static bool isRequired() { return true; }
};

} // namespace heddle

#endif
