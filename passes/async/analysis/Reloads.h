//===- Reloads.h - Variables that are read again ----------------*- C++ -*-===//
//
// An iteration reads a variable at its beginning, such as the root of a tree.
// Where a call may change the variable, the compiler has each iteration read it
// at its end, for the next one:
//
//     r = root                          loop:
//     loop:                               r = root
//       ... f() ...                       ... f() ...
//       if (!more) break;                 if (more) goto loop
//       r = root
//
// So iterations would follow each other, and the loop would not end at its
// latch. Where only calls that go to none of their likely targets may change
// it, this is undone.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_ANALYSIS_RELOADS_H
#define HEDDLE_PASSES_ASYNC_ANALYSIS_RELOADS_H

#include "loop/LoopContext.h"
#include "mark/Directive.h"

namespace llvm {
class LoadInst;
class Value;
} // namespace llvm

namespace heddle {

/// True if a clause of \p D about the kind of variables names \p Variable.
bool isInClause(const llvm::Value *Variable, const Directive &D);

/// True if \p Value is what \p Load, in \p C 's loop, would read in front of
/// it.
bool isReadOnEntry(const LoopContext &C, const llvm::Value &Value,
                   const llvm::LoadInst &Load);

/// Lets iterations of \p C 's loop, which has a preheader and one latch, read
/// at their beginning what they have read at their end. Variables in clauses of
/// \p D stay as they are. True if it has changed anything.
bool readAtBeginning(const LoopContext &C, const Directive &D);

} // namespace heddle

#endif
