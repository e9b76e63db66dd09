//===- QuickPaths.h - Records that need no call -----------------*- C++ -*-===//
//
// Most accesses of an annotated loop's own code are the first one to a place,
// or do again what the place's note says. To record those takes some twenty
// instructions, less than a call; they are put in front of the call of the
// runtime, which records all others. They do what runtime/check/quick.h does.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_CHECK_QUICK_QUICKPATHS_H
#define HEDDLE_PASSES_CHECK_QUICK_QUICKPATHS_H

#include "check/check.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace heddle {

enum class QuickKind { Read, Write, Update };

/// An access in an annotated loop's own code.
struct QuickAccess {
  QuickKind Kind;
  uint64_t Bytes;
  /// Of an update.
  unsigned Operation = 0;
  /// It is the read that decides on an update.
  bool Decides = false;
  /// HEDDLE_CHECK_HIDDEN.
  bool IsHidden = false;
};

struct RecordedAccess;
struct GroupPlace;

/// Wraps calls of the runtime in functions that try to do without them.
class QuickPaths {
  llvm::Module &M;
  llvm::DenseMap<uint64_t, llvm::Function *> Functions;
  llvm::SmallVector<llvm::CallInst *> Calls;

public:
  explicit QuickPaths(llvm::Module &M) : M(M) {}

  /// Lets \p Call, which records \p A, be made only where that is needed.
  void wrap(llvm::CallInst &Call, const QuickAccess &A);

  /// Lets the calls of \p Members, whose accesses to \p Places count from
  /// \p From, be made only where they are needed, all of them in front of the
  /// last access.
  void wrapGroup(llvm::Value &From, llvm::Value &Base,
                 llvm::ArrayRef<RecordedAccess> Members,
                 llvm::ArrayRef<GroupPlace> Places);

  /// The same for the call that begins an iteration of the loop that \p Begin
  /// has begun, and for one that tells of a call of the loop's. The loop is to
  /// call no functions that may be handed objects of the thread.
  void wrapIteration(llvm::CallInst &Call, llvm::CallInst &Begin);
  void wrapCall(llvm::CallInst &Call);

  /// Puts the functions into their callers.
  void inlineAll();

private:
  llvm::GlobalVariable *quick();
  void replace(llvm::CallInst &Call, llvm::Function &Quick,
               llvm::ArrayRef<llvm::Value *> Arguments);
};

} // namespace heddle

#endif
