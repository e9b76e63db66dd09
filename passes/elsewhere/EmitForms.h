//===- EmitForms.h - Functions for tasks of other files ---------*- C++ -*-===//
//
// Gives functions that other files may call, and that wait for memory which
// they only read, a nested form (FormProtocol.h) beside the plain one:
//
//     find(table, key):                  start(frame, varying, table, key):
//         n = table[hash(key)]               frame.resume = resume
//         while n and n->key != key:         n = table[hash(key)]
//             n = n->next                    if n: frame.n, frame.key = n, key
//         return n                                 return n
//                                            frame.result = n; return null
//     resume(frame):
//         n = frame.n
//         if n->key != frame.key:
//             n = frame.n = n->next
//             if n: return n
//         frame.result = n; return null
//
// The plain function stays as it is. What is emitted is complete.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ELSEWHERE_EMITFORMS_H
#define HEDDLE_PASSES_ELSEWHERE_EMITFORMS_H

#include "llvm/IR/PassManager.h"

namespace heddle {

class EmitFormsPass : public llvm::PassInfoMixin<EmitFormsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  static bool isRequired() { return true; }
};

} // namespace heddle

#endif
