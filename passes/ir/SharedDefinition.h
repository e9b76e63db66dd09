//===- SharedDefinition.h - What each module defines alike ------*- C++ -*-===//

#ifndef HEDDLE_PASSES_IR_SHAREDDEFINITION_H
#define HEDDLE_PASSES_IR_SHAREDDEFINITION_H

#include "llvm/IR/Module.h"

namespace heddle {

/// Lets the linker keep one of the definitions of \p Object that modules have.
/// Mach-O and XCOFF do so without a COMDAT, and have none.
inline void shareDefinition(llvm::GlobalObject &Object) {
  llvm::Module &M = *Object.getParent();
  Object.setLinkage(llvm::GlobalValue::LinkOnceODRLinkage);
  Object.setVisibility(llvm::GlobalValue::HiddenVisibility);
  if (M.getTargetTriple().supportsCOMDAT())
    Object.setComdat(M.getOrInsertComdat(Object.getName()));
}

} // namespace heddle

#endif
