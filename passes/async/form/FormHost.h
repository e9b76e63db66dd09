//===- FormHost.h - A loop that calls a function ----------------*- C++ -*-===//
//
// A function that is to get a nested form, as part of an annotated loop:
//
//     ptr host(frame, varying, arguments ...) {
//       do {
//         marker; x = argument[i] ...
//         result[i] = <code of the function, with x ...>
//       } while (++i < varying)
//     }
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_FORM_FORMHOST_H
#define HEDDLE_PASSES_ASYNC_FORM_FORMHOST_H

namespace llvm {
class CallInst;
class Function;
} // namespace llvm

namespace heddle {

/// Metadata on the reads of the arguments, with their numbers, and on the
/// stores of the result's parts, with their offsets.
constexpr char FormArgumentMetadata[] = "heddle.form.argument",
               FormResultMetadata[] = "heddle.form.result";

/// The operands of the host.
enum HostOperand : unsigned { HostFrame, HostVarying, HostFirst };

/// Creates the host of \p F; null if its code cannot be part of a loop.
llvm::Function *createFormHost(llvm::Function &F);

/// Erases \p Host and what only it uses.
void eraseFormHost(llvm::Function &Host);

} // namespace heddle

#endif
