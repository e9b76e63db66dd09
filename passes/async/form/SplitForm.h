//===- SplitForm.h - A function cut at its suspensions ----------*- C++ -*-===//
//
// Cuts the code of a function in its host (FormHost.h) where a plan says so.
// What is live across suspensions is kept in the frame that the caller hands:
//
//     ptr start(frame, varying, arguments ...):
//       store resume; ...; prefetch; keep values; number = 1; return address
//     ptr resume(frame):
//       switch number { 1: restore values; go on ... }
//       ...; store the result; return null
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_FORM_SPLITFORM_H
#define HEDDLE_PASSES_ASYNC_FORM_SPLITFORM_H

namespace llvm {
class Function;
} // namespace llvm

namespace heddle {

struct LoopVerdict;

struct NestedForm {
  /// Null if there is no nested form.
  llvm::Function *Start = nullptr, *Resume = nullptr;
};

/// The nested form of \p F, whose \p Host has the loop of \p Verdict.
NestedForm splitForm(llvm::Function &F, llvm::Function &Host,
                     const LoopVerdict &Verdict);

} // namespace heddle

#endif
