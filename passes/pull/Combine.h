//===- Combine.h - How a row combines what its edges bring ------*- C++ -*-===//
//
// A variable that a loop updates by one associative and commutative operation
// only, whatever the order: the results of two threads can be combined in turn.
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
  /// It is one bit in a wider type.
  bool IsTruth = false;
  /// The constant that all updates assign, if it is of kind AnyOf.
  llvm::ConstantInt *Set = nullptr;

  bool isFloatSum() const {
    return Kind == llvm::RecurKind::FAdd || Kind == llvm::RecurKind::FMul;
  }
};

/// How \p L updates the variable of its header phi \p Phi, or nothing if
/// differently, or if the loop uses the variable otherwise too.
std::optional<Combine> recognizeCombine(const llvm::PHINode &Phi,
                                        const llvm::Loop &L);

/// Forgets what the compiler knows of the updates of a whole row, in order, and
/// need not hold for a part of it: that sums do not overflow.
void forgetOrder(const Combine &C);

/// The value of type \p Ty that changes nothing it is combined with.
llvm::Value *identityOf(const Combine &C, llvm::Type *Ty);

llvm::Value *combineValues(llvm::IRBuilderBase &Builder, const Combine &C,
                           llvm::Value *Left, llvm::Value *Right);

/// In the user's words: "sum", "minimum", ...
llvm::StringRef describe(const Combine &C);

} // namespace heddle

#endif
