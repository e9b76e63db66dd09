//===- DebugScopes.h - A scope of its own for each copy ---------*- C++ -*-===//
//
// A debugger sets a breakpoint at the first code of a line in each block of the
// source. The same line in a copy of the loop would never be stopped at, if it
// were in the same block as in the original. So each copy gets blocks,
// variables and inlined calls of its own.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_REWRITE_DEBUGSCOPES_H
#define HEDDLE_PASSES_ASYNC_REWRITE_DEBUGSCOPES_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class BasicBlock;
class DebugLoc;
} // namespace llvm

namespace heddle {

/// Gives the blocks \p Copy, part of one copy of the loop at \p Loop, scopes
/// that no other code is in.
void separateScopes(llvm::ArrayRef<llvm::BasicBlock *> Copy,
                    const llvm::DebugLoc &Loop);

} // namespace heddle

#endif
