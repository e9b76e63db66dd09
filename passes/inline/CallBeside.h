//===- CallBeside.h - Two calls, one for tasks ------------------*- C++ -*-===//

#ifndef HEDDLE_PASSES_INLINE_CALLBESIDE_H
#define HEDDLE_PASSES_INLINE_CALLBESIDE_H

namespace llvm {
class CallBase;
} // namespace llvm

namespace heddle {

/// Puts \p ForTasks, which is in no block yet, beside \p Call: the nested
/// marker (mark/Directive.h) chooses between them. Both give the same result.
void putBeside(llvm::CallBase &Call, llvm::CallBase &ForTasks);

} // namespace heddle

#endif
