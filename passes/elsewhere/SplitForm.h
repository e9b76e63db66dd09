//===- SplitForm.h - A function cut at its suspensions ----------*- C++ -*-===//

#ifndef HEDDLE_PASSES_ELSEWHERE_SPLITFORM_H
#define HEDDLE_PASSES_ELSEWHERE_SPLITFORM_H

#include "elsewhere/FormPlan.h"
#include "llvm/ADT/ArrayRef.h"

namespace heddle {

/// The functions of a nested form (FormProtocol.h).
struct NestedForm {
  llvm::Function *Start = nullptr, *Resume = nullptr;
};

/// Makes the form of \p F, suspended at \p Cuts. Both are null if what must be
/// kept does not fit into the frame.
NestedForm splitForm(llvm::Function &F, llvm::ArrayRef<FormCut> Cuts);

} // namespace heddle

#endif
