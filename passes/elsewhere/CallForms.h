//===- CallForms.h - Calls of nested forms ----------------------*- C++ -*-===//
//
// The side of the loop: calls of functions that are only declared become calls
// of their nested forms (FormProtocol.h) in tasks, in a loop of its own:
//
//     form = find(description, function)
//     if (form) loop, whose tasks call the form
//     else      the loop as it was, for which the call may do anything
//
// These are calls through pointers, with attributes which say that they read
// any memory and write to the frame only.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ELSEWHERE_CALLFORMS_H
#define HEDDLE_PASSES_ELSEWHERE_CALLFORMS_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace llvm {
class AllocaInst;
class CallBase;
class CallInst;
class Function;
class IRBuilderBase;
class Loop;
class TargetLibraryInfo;
class Value;
} // namespace llvm

namespace heddle {

/// True if \p Call may be made of a nested form: if its function is only
/// declared, may wait for memory, and is no known function of a library. One
/// whose result is not used has other effects.
bool mayCallForm(const llvm::CallBase &Call,
                 const llvm::TargetLibraryInfo &TLI);

/// The arguments of \p Call that differ from iteration to iteration of \p L, as
/// bits.
uint64_t varyingArguments(const llvm::CallBase &Call, const llvm::Loop &L);

/// A frame for nested forms in \p F.
llvm::AllocaInst *createFormFrame(llvm::Function &F);

/// Looks up the nested form of \p Callee, at \p B in front of a loop; the
/// result is null if there is none.
llvm::Value *findForm(llvm::IRBuilderBase &B, llvm::Function &Callee);

/// Says of \p Call, which is reached only if the form of its function has been
/// found, what is known of functions with forms. Returns the call, which does
/// not unwind.
llvm::CallInst &describePlain(llvm::CallBase &Call);

/// Replaces \p Call, which tasks make, by the steps of \p Form.
void callForm(llvm::CallInst &Call, llvm::Value &Form, uint64_t Varying,
              llvm::AllocaInst &Frame);

/// If no task in \p F calls a form, leaves only the loops that do without.
/// Returns true if it has changed the function.
bool dropUnusedForms(llvm::Function &F);

} // namespace heddle

#endif
