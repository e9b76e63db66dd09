//===- Lookahead.h - The text after a directive -----------------*- C++ -*-===//
//
// Looks at the text after a directive without lexing it for good. The handler
// of a pragma may not ask the preprocessor for tokens past the end of its line:
// the end of the file could follow, and with it the end of the lexer that is
// calling the handler.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_CLANG_LOOKAHEAD_H
#define HEDDLE_PASSES_CLANG_LOOKAHEAD_H

#include "clang/Basic/SourceLocation.h"

namespace clang {
class Preprocessor;
}

namespace heddle {

struct Following {
  enum Kind {
    /// Something that may be a loop, as far as the text tells.
    MaybeLoop,
    /// `#pragma clang loop`, `#pragma unroll` and the like, then text that can
    /// be lexed.
    LoopHint,
    /// `#pragma omp`.
    OpenMPDirective,
    /// `#pragma acc`.
    OpenACCDirective,
    /// Anything else.
    NoLoop,
    EndOfFile,
  };
  Kind What;
  clang::SourceLocation Where;
};

/// Looks past the directive's line, which ends at \p EndOfLine.
Following lookPastLine(clang::Preprocessor &PP,
                       clang::SourceLocation EndOfLine);

/// Looks past the `_Pragma(...)` that begins at \p Operator.
Following lookPastOperator(clang::Preprocessor &PP,
                           clang::SourceLocation Operator);

} // namespace heddle

#endif
