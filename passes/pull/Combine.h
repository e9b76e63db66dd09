//===- Combine.h - Combination of the values of a row's edges ---*- C++ -*-===//
//
// A variable that a loop updates only by one associative and commutative
// operation, in any order: the results of two threads can be combined.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_PULL_COMBINE_H
#define HEDDLE_PASSES_PULL_COMBINE_H

#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/IR/IRBuilder.h"
#include <optional>

namespace heddle {

struct Combine {
  llvm::RecurKind Kind;
  /// The flags that all updates have.
  llvm::FastMathFlags Flags;
  llvm::SmallVector<llvm::Instruction *, 2> Updates;
  /// The variable is one bit in a wider type.
  bool IsTruth = false;
  /// The constant that all updates assign, if it is of kind AnyOf.
  llvm::ConstantInt *Set = nullptr;

  bool isFloatSum() const {
    return Kind == llvm::RecurKind::FAdd || Kind == llvm::RecurKind::FMul;
  }
};

/// Returns the way in which \p L updates the variable of its header phi \p Phi,
/// or nullopt if there are different updates or other uses.
std::optional<Combine> recognizeCombine(const llvm::PHINode &Phi,
                                        const llvm::Loop &L);

/// Drops flags that hold for the updates of a whole row in order, but not for a
/// part of it: that sums do not overflow.
void forgetOrder(const Combine &C);

/// Returns the value of type \p Ty that leaves every value it is combined with
/// unchanged.
llvm::Value *identityOf(const Combine &C, llvm::Type *Ty);

llvm::Value *combineValues(llvm::IRBuilderBase &Builder, const Combine &C,
                           llvm::Value *Left, llvm::Value *Right);

/// Returns the user's name of the combination: "sum", "minimum", ...
llvm::StringRef describe(const Combine &C);

} // namespace heddle

#endif
