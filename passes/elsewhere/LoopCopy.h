//===- LoopCopy.h - A loop beside a loop ------------------------*- C++ -*-===//

#ifndef HEDDLE_PASSES_ELSEWHERE_LOOPCOPY_H
#define HEDDLE_PASSES_ELSEWHERE_LOOPCOPY_H

namespace llvm {
class Loop;
class Value;
} // namespace llvm

namespace heddle {

/// Puts a copy beside \p L, which is in simplified and closed SSA form. The
/// loop runs if \p Condition, which is known in front of it, is true, and the
/// copy otherwise. Markers in the copy get FallbackMetadata. Analyses of the
/// function become stale.
void putCopyBeside(llvm::Loop &L, llvm::Value &Condition);

} // namespace heddle

#endif
