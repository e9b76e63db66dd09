//===- GuardTargets.h - Calls through pointers, compared first --*- C++ -*-===//
//
// What a virtual function waits for can be hidden only where it is known which
// function it is. This pass gives each call through a pointer that annotated
// loops come to, in the loop or in a function that it calls, a few targets
// (LikelyTargets.h):
//
//     r = node->find(key)       r = find.targets(node, key)
//
//     find.targets(node, key):  f = node->vtable[2]
//                               if (f == &Small::find) Small::find.task(...)
//                               else if (f == &Large::find) ...
//                               else f(node, key)          "heddle-unlikely"
//
// The calls of known functions are inlined or become nested coroutines like any
// others; a tree of virtual nodes is a recursion through `find.targets`.
// Functions that make such calls are copied, here Small::find to
// Small::find.task, so that other callers and the functions themselves stay as
// they are. What has not become a part of the loop in the end is called through
// the pointer again.
//
// Nothing is known of the function that the last call goes to, and tasks must
// not be suspended between it and what else uses the same memory. So a task
// that has come to it is not suspended any more (SuspensionPlan.h).
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_INLINE_GUARDTARGETS_H
#define HEDDLE_PASSES_INLINE_GUARDTARGETS_H

#include "llvm/IR/PassManager.h"
#include <string>

namespace llvm {
class CallBase;
class Function;
class Instruction;
class Module;
} // namespace llvm

namespace heddle {

/// True if \p I calls what is not one of the likely targets.
bool isUnlikelyCall(const llvm::Instruction &I);

/// True if \p F compares a pointer with its likely targets.
bool comparesTargets(const llvm::Function &F);

/// The name of \p F, or of what it is a copy of or compares, in the source.
std::string nameInSource(const llvm::Function &F);

/// Replaces \p Call, of a function that compares or of a copy, by one as it was
/// before. Returns that; \p Call itself if it is no such call.
llvm::CallBase &callAsBefore(llvm::CallBase &Call);

/// Lets the functions that compare, and the copies, go. Until then, other
/// passes keep what they are called with.
void releaseTargets(llvm::Module &M);

/// Runs behind AsyncMark, and before the first function is inlined.
class GuardTargetsPass : public llvm::PassInfoMixin<GuardTargetsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
};

} // namespace heddle

#endif
