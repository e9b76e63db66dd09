//===- Register.h - Where the passes enter the pipeline ---------*- C++ -*-===//

#ifndef HEDDLE_PASSES_REGISTER_H
#define HEDDLE_PASSES_REGISTER_H

namespace llvm {
class PassBuilder;
}

namespace heddle {

/// Adds AsyncMark at the start of every default pipeline, NestedCalls where
/// inlining is over, AsyncSplit in front of the vectoriser, and all by name
/// (`heddle-async-mark`, `heddle-nested-calls`, `heddle-async-split`) for opt.
void registerAsyncPasses(llvm::PassBuilder &PB);

} // namespace heddle

#endif
