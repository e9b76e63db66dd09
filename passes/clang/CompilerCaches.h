//===- CompilerCaches.h - What compiler caches see of Heddle ----*- C++ -*-===//
//
// A compiler cache in front of heddle-clang sees neither the plugin nor that it
// has changed, and would give objects that an earlier one compiled. It hashes
// the output of -E, and ccache also the files that linemarkers name there.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_CLANG_COMPILERCACHES_H
#define HEDDLE_PASSES_CLANG_COMPILERCACHES_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/StringRef.h"

namespace clang {
class PragmaHandler;
class Preprocessor;
} // namespace clang

namespace heddle {

/// Has the preprocessor print, in front of \p Where, linemarkers with the names
/// of Heddle's libraries and `#pragma heddle library` with a hash of what they
/// contain. Compiling the output takes no notice of either.
void nameLibrariesInOutput(clang::Preprocessor &PP,
                           clang::PragmaHandler &Handler,
                           clang::SourceLocation Where);

/// The word behind `heddle` in that pragma.
inline constexpr llvm::StringLiteral LibraryPragma("library");

} // namespace heddle

#endif
