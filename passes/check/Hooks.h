//===- Hooks.h - Calls into the checking runtime ----------------*- C++ -*-===//
//
// Declares the functions of runtime/check/check.h in a module and makes the
// constants that describe accesses and loops.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_CHECK_HOOKS_H
#define HEDDLE_PASSES_CHECK_HOOKS_H

#include "names/PlaceNames.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/IRBuilder.h"

namespace heddle {

/// The fields of a heddle_check_site that are not found from the code.
struct SiteFacts {
  uint64_t Bytes = 0;
  unsigned Operation = 0;
  unsigned Flags = 0;
  unsigned PartnerLine = 0;
};

class Hooks {
  llvm::Module &M;
  llvm::StringMap<llvm::Constant *> Strings;

public:
  explicit Hooks(llvm::Module &M) : M(M) {}

  /// Calls \p Name, a function of the runtime, with \p Arguments before \p
  /// Before. It returns \p Result, or nothing.
  llvm::CallInst *call(llvm::StringRef Name,
                       llvm::ArrayRef<llvm::Value *> Arguments,
                       llvm::Instruction *Before, llvm::Type *Result = nullptr);

  /// The same for a function that has variants for common numbers of bytes.
  llvm::CallInst *callForBytes(llvm::StringRef Name, uint64_t Bytes,
                               llvm::ArrayRef<llvm::Value *> Arguments,
                               llvm::Instruction *Before);

  /// In how many annotated loops the thread is.
  llvm::GlobalVariable *depth();

  /// Lets \p Call, of a function of the runtime, be made only if the thread is
  /// in at least so many annotated loops. Splits the block.
  void callIfNested(llvm::CallInst &Call, unsigned Loops);

  /// Describes the access of \p I.
  llvm::Constant *site(const llvm::Instruction &I, const PlaceName &Place,
                       const SiteFacts &Facts);

  /// Describes the loop that begins at \p Where.
  llvm::Constant *loop(const llvm::Function &F, const llvm::DebugLoc &Where);

private:
  llvm::Constant *string(llvm::StringRef Text);
  llvm::Constant *constant(llvm::StructType *Type,
                           llvm::ArrayRef<llvm::Constant *> Fields,
                           bool IsConstant);
};

} // namespace heddle

#endif
