//===- Diagnostics.h - Diagnostics of the directives ------------*- C++ -*-===//
//
// Every text that the pragma front end can print. They are Clang diagnostics
// like any other: -verify, -Werror and -fdiagnostics-* apply to them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_CLANG_DIAGNOSTICS_H
#define HEDDLE_PASSES_CLANG_DIAGNOSTICS_H

namespace clang {
class DiagnosticsEngine;
}

namespace heddle::diagnostic {

enum Kind {
#define HEDDLE_DIAGNOSTIC(Name, Class, Text) Name,
#include "Diagnostics.def"
};

/// The number under which \p Diagnostics knows \p Diagnostic.
unsigned id(clang::DiagnosticsEngine &Diagnostics, Kind Diagnostic);

} // namespace heddle::diagnostic

namespace heddle {

/// Reports \p Diagnostic at \p At, to \p To : a Sema or a Preprocessor.
template <typename Reporter, typename Location>
auto report(Reporter &To, Location At, diagnostic::Kind Diagnostic) {
  return To.Diag(At, diagnostic::id(To.getDiagnostics(), Diagnostic));
}

} // namespace heddle

#endif
