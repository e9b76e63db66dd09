//===- TargetChoice.h - Functions that compare a pointer --------*- C++ -*-===//
//
// Makes the functions that compare a pointer with the likely targets of a call,
// and replaces the call by one of them; GuardTargets.h shows one.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_INLINE_TARGETCHOICE_H
#define HEDDLE_PASSES_INLINE_TARGETCHOICE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Attributes.h"
#include <vector>

namespace llvm {
class CallBase;
class Function;
class LoadInst;
class Module;
} // namespace llvm

namespace heddle {

/// True if \p Call, through a pointer, can be made by another function.
bool canBeCompared(const llvm::CallBase &Call);

/// Notes that \p Copy is one of \p Original.
void noteOriginal(llvm::Function &Copy, const llvm::Function &Original);

/// Keeps other passes from changing the arguments of such functions, and of
/// those that compare.
void keepTargets(llvm::Module &M);

class TargetChoices {
  llvm::Module &M;
  /// What two calls with one function have in common.
  struct Kind {
    llvm::SmallVector<llvm::Function *> Targets;
    llvm::AttributeList Attributes;
    llvm::AttributeSet OfCaller;
    /// The argument whose table has the pointer, and its place there; -1 and 0
    /// if the pointer is an argument of its own.
    int Object;
    int64_t Offset;

    bool operator==(const Kind &) const = default;
  };
  std::vector<std::pair<Kind, llvm::Function *>> Choices;

public:
  explicit TargetChoices(llvm::Module &M) : M(M) {}

  /// Replaces \p Call by one of a function that compares its pointer with
  /// \p Likely and calls the versions \p Of these.
  void compare(llvm::CallBase &Call, llvm::ArrayRef<llvm::Function *> Likely,
               llvm::function_ref<llvm::Function *(llvm::Function *)> Of);

  /// Makes the targets of functions that come to call themselves parts of
  /// these, so that a recursion is through one function.
  void joinRecursions() const;

private:
  llvm::Function *
  create(const llvm::CallBase &Call, const Kind &K,
         llvm::function_ref<llvm::Function *(llvm::Function *)> Of);
};

} // namespace heddle

#endif
