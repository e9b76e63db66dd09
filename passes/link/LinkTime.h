//===- LinkTime.h - Annotated loops that are split at link time -*- C++ -*-===//
//
// A callee that is defined in another file cannot become a part of a task while
// one file is compiled. With -flto and -flto=thin, functions whose annotated
// loops call such callees keep their markers, and the link, which sees all
// files, goes on from there: it inlines the callees, makes nested coroutines
// of those that recurse, and splits the loops.
//
// A linker that does not load the passes must find a program that is whole: the
// marker gets a definition that does nothing, which any link inlines.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_LINK_LINKTIME_H
#define HEDDLE_PASSES_LINK_LINKTIME_H

#include "mark/Outcomes.h"
#include "llvm/IR/PassManager.h"
#include <memory>

namespace llvm {
class CallBase;
class TargetLibraryInfo;
} // namespace llvm

namespace heddle {

/// True if another file of the program may define what \p Call calls, and it
/// may wait for memory. Names of the C++ library are the implementation's.
bool isElsewhere(const llvm::CallBase &Call,
                 const llvm::TargetLibraryInfo &TLI);

/// True if loops of \p F wait for the link.
bool waitsForLink(const llvm::Function &F);

/// Leaves functions for the link. Runs before the first loop is split.
class LeaveForLinkPass : public llvm::PassInfoMixin<LeaveForLinkPass> {
  std::shared_ptr<Outcomes> LoopOutcomes;

public:
  explicit LeaveForLinkPass(std::shared_ptr<Outcomes> LoopOutcomes)
      : LoopOutcomes(std::move(LoopOutcomes)) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  static bool isRequired() { return true; }
};

/// Defines the marker where functions have been left for the link. Runs behind
/// all passes that might inline it.
class DefineMarkerPass : public llvm::PassInfoMixin<DefineMarkerPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

/// Takes up functions that have been left for the link, and runs \p Passes if
/// there are any.
class GoOnAtLinkPass : public llvm::PassInfoMixin<GoOnAtLinkPass> {
  std::shared_ptr<llvm::ModulePassManager> Passes;

public:
  explicit GoOnAtLinkPass(llvm::ModulePassManager Passes)
      : Passes(std::make_shared<llvm::ModulePassManager>(std::move(Passes))) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  static bool isRequired() { return true; }
};

} // namespace heddle

#endif
