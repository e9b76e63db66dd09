//===- Register.h - Where the passes enter the pipeline ---------*- C++ -*-===//

#ifndef HEDDLE_PASSES_REGISTER_H
#define HEDDLE_PASSES_REGISTER_H

#include <string>

namespace llvm {
class PassBuilder;
}

namespace heddle {

/// Adds AsyncMark at the start of every default pipeline, NestedCalls where
/// inlining is over, AsyncSplit in front of the vectoriser, and all by name
/// (`heddle-async-mark`, `heddle-nested-calls`, `heddle-async-split`) for opt.
/// A second copy of the passes leaves that to the first if this is the other
/// library of the same installation, and else makes compiling an error.
void registerAsyncPasses(llvm::PassBuilder &PB);

/// The error if another copy of these passes was loaded before this one. Empty
/// if there is none.
std::string secondCopyError();

} // namespace heddle

#endif
