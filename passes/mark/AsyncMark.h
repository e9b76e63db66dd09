//===- AsyncMark.h - Make the directive's marks survive -O3 -----*- C++ -*-===//
//
// Runs at the start of the pipeline, when variables are still allocas and the
// loops are as the user wrote them. For every loop that the front end marked
// (see MarkProtocol.h), after OpenMP outlining too, it
//
//  * replaces the borrowed loop hint by `heddle.async` and keeps other loop
//    passes from unrolling or vectorising the loop before AsyncSplit sees it;
//  * tags the accesses that go through remote(p) and near(p) variables;
//  * leaves one call of `__heddle_async` in the loop's body with the clauses
//    that AsyncSplit needs. Variables of private, shared and sequential clauses
//    are passed by address, which keeps them in memory, with every access in
//    its place, until AsyncSplit has read the clause;
//  * removes all traces of the front end.
//
// Loops under `pull` and `vectorsparse` are marked likewise, with `heddle.pull`
// and a call of `__heddle_pull`, for PullPass.
//
// Without optimisation the loops are left as they are.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_MARK_ASYNCMARK_H
#define HEDDLE_PASSES_MARK_ASYNCMARK_H

#include "mark/Marks.h"
#include "mark/Outcomes.h"

namespace heddle {

/// The function of that name, which markers call.
llvm::FunctionCallee getMarker(llvm::Module &M, llvm::StringRef Name);

class AsyncMarkPass : public llvm::PassInfoMixin<AsyncMarkPass> {
  bool Optimizing;
  std::shared_ptr<Outcomes> LoopOutcomes;

public:
  AsyncMarkPass(bool Optimizing, std::shared_ptr<Outcomes> LoopOutcomes)
      : Optimizing(Optimizing), LoopOutcomes(std::move(LoopOutcomes)) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  static bool isRequired() { return true; }
};

} // namespace heddle

#endif
