//===- AdvisePass.h - Name the loops that wait for memory -------*- C++ -*-===//
//
// With -fheddle-advise, the compiler names loops without a directive that would
// gain by one. The pass comes first in the pipeline. It compiles a copy of the
// module by a pipeline of its own, in which
//
//  1. MarkCandidates marks every loop that may be worth it, as the front end
//     marks loops with directives, in AsyncMark's place;
//  2. the standard passes run, and Heddle's between them;
//  3. JudgeLoops, in AsyncSplit's place, asks AsyncSplit's analyses about one
//     loop after the other and takes notes.
//
// The copy has an LLVMContext of its own, so that nothing of this is seen from
// outside, and is thrown away. Then the notes become remarks of the pass
// heddle-advise, most promising first. The module itself is compiled as ever.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ADVISE_ADVISEPASS_H
#define HEDDLE_PASSES_ADVISE_ADVISEPASS_H

#include "advise/Advice.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/OptimizationLevel.h"
#include "llvm/Support/CommandLine.h"
#include <memory>

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace heddle {

/// -mllvm -heddle-advise: name loops that would gain by a directive.
extern llvm::cl::opt<bool> AdviseLoops;

/// True if advice is to be given.
bool givesAdvice();

/// What the trial compilations of one compiler have found.
class Trials {
  std::vector<LoopAdvice> Found;

public:
  /// Builds the pipeline of a trial with \p PB. Its callbacks, which the passes
  /// may have registered twice (PassPlugin.cpp), ask building() meanwhile whose
  /// trial it is.
  llvm::ModulePassManager build(llvm::PassBuilder &PB,
                                llvm::OptimizationLevel Level);
  /// The trial whose pipeline is being built, or null.
  static const Trials *building();

  void note(LoopAdvice Advice) { Found.push_back(std::move(Advice)); }
  std::vector<LoopAdvice> take() { return std::exchange(Found, {}); }
};

class AdvisePass : public llvm::PassInfoMixin<AdvisePass> {
  std::shared_ptr<Trials> Notes;
  /// Null if nothing is optimised.
  std::unique_ptr<llvm::ModulePassManager> Pipeline;

public:
  AdvisePass(std::shared_ptr<Trials> Notes,
             std::unique_ptr<llvm::ModulePassManager> Pipeline)
      : Notes(std::move(Notes)), Pipeline(std::move(Pipeline)) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  static bool isRequired() { return true; }
};

} // namespace heddle

#endif
