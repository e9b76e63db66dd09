//===- FormCuts.h - Where a function is suspended ---------------*- C++ -*-===//

#ifndef HEDDLE_PASSES_ASYNC_FORM_FORMCUTS_H
#define HEDDLE_PASSES_ASYNC_FORM_FORMCUTS_H

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class CallInst;
class Function;
class Value;
} // namespace llvm

namespace heddle {

struct LoopVerdict;

/// A call that stands for a suspension,
///
///     void @__heddle_form_cut(i1, addresses ...)
class FormCut {
  llvm::CallInst &Call;

public:
  explicit FormCut(llvm::CallInst &Call) : Call(Call) {}

  /// The first address may be null.
  bool mayBeNull() const;
  /// What is waited for, of which the first is not requested yet.
  llvm::SmallVector<llvm::Value *, 2> addresses() const;
};

/// The cuts in \p F.
llvm::SmallVector<llvm::CallInst *, 4> findFormCuts(llvm::Function &F);

/// Inserts the requests of \p Verdict 's plan into its loop, and a cut behind
/// those of each suspension. False if there are none.
bool markFormCuts(const LoopVerdict &Verdict);

} // namespace heddle

#endif
