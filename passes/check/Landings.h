//===- Landings.h - Where a function goes on after a jump -------*- C++ -*-===//
//
// An exception or longjmp() may leave loops without passing their ends. Where a
// function catches it, the runtime is told so: what comes then is no part of an
// iteration.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_CHECK_LANDINGS_H
#define HEDDLE_PASSES_CHECK_LANDINGS_H

namespace llvm {
class Function;
}

namespace heddle {

class Hooks;

/// Calls the runtime in the landing pads of \p F, and where functions such as
/// setjmp() return once more.
void recordLandings(llvm::Function &F, Hooks &H);

} // namespace heddle

#endif
