//===- NestedCalls.h - Callees that access far memory -----------*- C++ -*-===//
//
// A call in an annotated loop of a function that accesses far memory, and was
// not inlined, would wait with the whole thread. This pass makes the callee a
// part of the task, a nested coroutine (CoroAMU III-F), by putting its code in
// the place of the call where AsyncSplit will find it: of functions that call
// themselves once, with a stack (NestedFrames.h), and of others at each call.
//
// It runs on the whole module, before the first function is split and lowered.
// What cannot be made a part of the task stays a call that waits.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_NEST_NESTEDCALLS_H
#define HEDDLE_PASSES_NEST_NESTEDCALLS_H

#include "llvm/IR/PassManager.h"

namespace heddle {

class NestedCallsPass : public llvm::PassInfoMixin<NestedCallsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  static bool isRequired() { return true; }
};

} // namespace heddle

#endif
