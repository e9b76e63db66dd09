//===- Terminate.h - Exceptions that would leave an iteration ---*- C++ -*-===//
//
// An exception that leaves an iteration of an annotated loop ends the program,
// as where a noexcept function ends: calls that may throw become invokes, and
// ways on which an exception leaves the loop end in std::terminate. Clean-ups
// on these ways are left out.
//
//   invoke f() to %next unwind %cleanup      invoke f() to %next
//   ...                                        unwind %terminate
//   cleanup:                            =>   terminate:
//     landingpad cleanup                       %e = landingpad catch ptr null
//     ~Local(); br %outer.cleanup              __clang_call_terminate(%e)
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ENDS_TERMINATE_H
#define HEDDLE_PASSES_ENDS_TERMINATE_H

namespace llvm {
class Loop;
class LoopInfo;
} // namespace llvm

namespace heddle {

/// Lets exceptions that would leave an iteration of \p L end the program,
/// unless a handler around the loop may catch one; updates \p LI. Returns true
/// if it has changed the function, which may have unreachable blocks then.
bool endOnExceptions(llvm::Loop &L, llvm::LoopInfo &LI);

} // namespace heddle

#endif
