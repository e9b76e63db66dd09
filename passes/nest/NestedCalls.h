//===- NestedCalls.h - Callees that become nested coroutines ----*- C++ -*-===//
//
// A function that accesses far memory and is called in an annotated loop would
// block the whole thread. This pass makes the callee a part of the task, a
// nested coroutine (CoroAMU III-F): it replaces the call by the callee's code,
// where AsyncSplit finds it. A recursive callee is inlined once, with a stack
// of frames (NestedFrames.h); others are inlined at each call.
//
// Where loops do not access far memory, the same is done for recursive callees
// that wait for ordinary memory. All others have been inlined before, as far as
// that pays (InlineCallees.h). The call stays beside the code (PlainCalls.h).
//
// It runs on the whole module, before the first function is split and lowered.
// Calls that cannot be replaced stay and block.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_NEST_NESTEDCALLS_H
#define HEDDLE_PASSES_NEST_NESTEDCALLS_H

#include "llvm/IR/PassManager.h"

namespace heddle {

class NestedCallsPass : public llvm::PassInfoMixin<NestedCallsPass> {
  bool MayCallForms;

public:
  /// \p MayCallForms says whether functions of other files may have nested
  /// forms: where the link does not see them itself, and nothing is recorded.
  explicit NestedCallsPass(bool MayCallForms = false)
      : MayCallForms(MayCallForms) {}

  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  static bool isRequired() { return true; }
};

} // namespace heddle

#endif
