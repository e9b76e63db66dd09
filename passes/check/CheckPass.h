//===- CheckPass.h - Check the promise of annotated loops -------*- C++ -*-===//
//
// With -fheddle-check, annotated loops are not interleaved. Instead they record
// what each iteration reads and writes, by calls into runtime/check:
//
//   for (i...)                      heddle_check_begin(&loop);
//     out[i] = table[hash(i)];      for (i...) {
//                                     heddle_check_iteration();
//                                     heddle_check_read(&site, &table[...]);
//                                     heddle_check_write(&site, &out[i], ...);
//                                     out[i] = table[hash(i)];
//                                   }
//                                   heddle_check_end();
//
// Functions that a loop may call record, too; outside of annotated loops the
// runtime ignores them. The pass comes first in the pipeline, so that lines,
// variables and fields are those of the source. It needs no more of other
// passes than that variables are in registers where they can be.
//
// Accesses that a compiler keeps in the order of iterations, or whole, are no
// conflicts; Order.h and Updates.h say which.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_CHECK_CHECKPASS_H
#define HEDDLE_PASSES_CHECK_CHECKPASS_H

#include "llvm/IR/PassManager.h"
#include "llvm/Support/CommandLine.h"

namespace heddle {

/// -mllvm -heddle-check: check annotated loops instead of interleaving them.
extern llvm::cl::opt<bool> CheckLoops;

class CheckPass : public llvm::PassInfoMixin<CheckPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  static bool isRequired() { return true; }
};

} // namespace heddle

#endif
