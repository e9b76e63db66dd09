//===- PreprocessedOutput.h - Directives under -E ---------------*- C++ -*-===//
//
// The output of -E has to hold the directives, as it holds OpenMP's, so that
// compiling it (by ccache, distcc, -save-temps, ...) gives the same program.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_CLANG_PREPROCESSEDOUTPUT_H
#define HEDDLE_PASSES_CLANG_PREPROCESSEDOUTPUT_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/StringRef.h"

namespace clang {
class PragmaHandler;
class Preprocessor;
class Token;
} // namespace clang

namespace heddle {

/// Reads the rest of the directive's line and has the preprocessor print it,
/// macros expanded, the way it prints a pragma that it does not know.
void keepInPreprocessedOutput(clang::Preprocessor &PP,
                              clang::PragmaHandler &Handler,
                              const clang::Token &Heddle,
                              const clang::Token &Directive);

/// Has the preprocessor print the pragma \p Text, which is one of Heddle's.
void printPragma(clang::Preprocessor &PP, clang::PragmaHandler &Handler,
                 clang::SourceLocation Where, llvm::StringRef Text);

} // namespace heddle

#endif
