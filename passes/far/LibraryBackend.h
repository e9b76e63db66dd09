//===- LibraryBackend.h - Far memory by calls of the library ----*- C++ -*-===//
//
// Each operation is a call of heddle/amu.h, whose functions runtime/far
// defines.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_FAR_LIBRARYBACKEND_H
#define HEDDLE_PASSES_FAR_LIBRARYBACKEND_H

#include "far/FarBackend.h"

namespace heddle {

/// Calls the function \p Name of the run time, which throws nothing.
llvm::CallInst *callLibrary(llvm::IRBuilder<> &B, llvm::StringRef Name,
                            llvm::Type *Result,
                            llvm::ArrayRef<llvm::Value *> Arguments);

class LibraryBackend final : public FarBackend {
public:
  llvm::Value *begin(llvm::IRBuilder<> &B, llvm::Value *KeptTasks,
                     llvm::Value *MostTasks) const override;
  void end(llvm::IRBuilder<> &B, llvm::Value *Loop) const override;
  void request(llvm::IRBuilder<> &B, FarTask Task,
               const FarRequest &Request) const override;
  void acquire(llvm::IRBuilder<> &B, FarTask Task,
               llvm::Value *Address) const override;
  void release(llvm::IRBuilder<> &B, FarTask Task) const override;
  llvm::Value *await(llvm::IRBuilder<> &B, FarTask Task) const override;
  llvm::Value *tasks(llvm::IRBuilder<> &B, llvm::Value *Loop) const override;
  llvm::Value *next(llvm::IRBuilder<> &B, llvm::Value *Loop) const override;
};

} // namespace heddle

#endif
