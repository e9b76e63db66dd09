//===- PlainCalls.h - The call beside the nested coroutine ------*- C++ -*-===//
//
// A recursive callee runs faster on the thread's stack than on one of its own.
// The call therefore stays beside the code that takes its place:
//
//     if (__heddle_nested()) <code of the callee, with frames>
//     else r = visit(root)
//
// Likewise for what is compared with the likely targets of a call through a
// pointer (GuardTargets.h). Tasks run the former. The serial version, and a
// loop that is left alone, run the latter.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_NEST_PLAINCALLS_H
#define HEDDLE_PASSES_NEST_PLAINCALLS_H

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class BasicBlock;
class CallBase;
class CallInst;
class Function;
} // namespace llvm

namespace heddle {

/// Puts a copy of \p Call for tasks beside it, and the choice in front of the
/// two. Returns the copy. It is no invoke: endOnExceptions() closes the loop
/// for the exceptions of tasks.
llvm::CallInst &keepPlain(llvm::CallBase &Call);

/// Leaves the nested coroutines in \p Blocks, and erases the calls.
void chooseNested(llvm::SmallVectorImpl<llvm::BasicBlock *> &Blocks);

/// Leaves the calls in \p F, wherever there still is a choice. True if there
/// was one.
bool choosePlain(llvm::Function &F);

/// True if tasks go from \p From to \p To rather than to a plain call.
bool isChosenByTasks(const llvm::BasicBlock &From, const llvm::BasicBlock &To);

} // namespace heddle

#endif
