//===- EmitForms.h - Functions for tasks of other files ---------*- C++ -*-===//
//
// The side of the callee: gives functions that loops in other files may call,
// and that wait for memory, a nested form (FormProtocol.h) beside the plain
// one. Such a function only reads memory and throws nothing, so that nobody can
// tell whether it has been suspended in the middle, but by what iterations
// write meanwhile; the loop knows that the form reads any memory.
//
// Where the form is suspended is decided by AsyncSplit's own analyses: they are
// shown a loop that calls the function with other arguments in each iteration.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_FORM_EMITFORMS_H
#define HEDDLE_PASSES_ASYNC_FORM_EMITFORMS_H

#include "llvm/IR/PassManager.h"

namespace heddle {

class EmitFormsPass : public llvm::PassInfoMixin<EmitFormsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  static bool isRequired() { return true; }
};

} // namespace heddle

#endif
