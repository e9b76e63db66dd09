//===- FormSteps.h - Calls that stand for nested forms ----------*- C++ -*-===//
//
// The markers of elsewhere/CallForms.h, for those who look at a loop.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_IR_FORMSTEPS_H
#define HEDDLE_PASSES_IR_FORMSTEPS_H

#include "ir/Instructions.h"

namespace heddle {

constexpr char FindFormName[] = "__heddle_form_find",
               StartFormName[] = "__heddle_form_start",
               ResumeFormName[] = "__heddle_form_resume";

/// The operands of the start.
enum StartOperand : unsigned {
  StartForm,
  StartFrame,
  StartVarying,
  FirstStartArgument
};

/// True if \p I is the first step of a nested form.
inline bool isStartOfForm(const llvm::Instruction &I) {
  return calleeName(I) == StartFormName;
}

/// True if \p I is a step of a nested form.
inline bool isStepOfForm(const llvm::Instruction &I) {
  return isStartOfForm(I) || calleeName(I) == ResumeFormName;
}

/// The function of whose form \p Call is the first step; null for other calls.
inline const llvm::Function *functionOfForm(const llvm::CallBase &Call) {
  auto *Find =
      isStartOfForm(Call)
          ? llvm::dyn_cast<llvm::CallInst>(Call.getArgOperand(StartForm))
          : nullptr;
  return Find && calleeName(*Find) == FindFormName
             ? llvm::dyn_cast<llvm::Function>(Find->getArgOperand(1))
             : nullptr;
}

} // namespace heddle

#endif
