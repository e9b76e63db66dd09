//===- Diagnostics.h - Diagnostics of the directives ------------*- C++ -*-===//
//
// Every text that the pragma front end can print. They are Clang diagnostics
// like any other: -verify, -Werror and -fdiagnostics-* apply to them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_CLANG_DIAGNOSTICS_H
#define HEDDLE_PASSES_CLANG_DIAGNOSTICS_H

#include "clang/Basic/PartialDiagnostic.h"

namespace heddle::diagnostic {

enum Kind {
#define HEDDLE_DIAGNOSTIC(Name, Class, Text) Name,
#include "Diagnostics.def"
};

/// Clang's diagnostic for the texts of plugins, of the class of \p Diagnostic.
unsigned id(Kind Diagnostic);

/// The number under which \p Diagnostics knows the text of \p Diagnostic.
unsigned textId(clang::DiagnosticsEngine &Diagnostics, Kind Diagnostic);

} // namespace heddle::diagnostic

namespace heddle {

/// A diagnostic of a Sema or a Preprocessor that takes what a diagnostic of
/// Clang takes, and is reported when it ends. It goes out as a text, under a
/// number of Clang's own: tools whose list of diagnostics is not that of the
/// compilation, such as clang-tidy, know no others.
template <typename Reporter> class Report {
public:
  Report(Reporter &To, clang::SourceLocation At, diagnostic::Kind Diagnostic)
      : To(To), At(At), Diagnostic(Diagnostic),
        Message(diagnostic::textId(To.getDiagnostics(), Diagnostic),
                Allocator) {}
  Report(const Report &) = delete;
  ~Report() {
    if (!Ended)
      end();
  }

  template <typename Argument> Report &operator<<(const Argument &Value) {
    Message << Value;
    return *this;
  }

  /// Reports the diagnostic when the result ends.
  auto end() {
    Ended = true;
    llvm::SmallString<128> Text;
    Message.EmitToString(To.getDiagnostics(), Text);
    auto Builder = To.Diag(At, diagnostic::id(Diagnostic));
    // The arguments in the message are no longer needed, unlike its ranges and
    // hints.
    Builder << Text.str() << Message;
    return Builder;
  }

private:
  Reporter &To;
  clang::SourceLocation At;
  diagnostic::Kind Diagnostic;
  clang::DiagStorageAllocator Allocator;
  clang::PartialDiagnostic Message;
  bool Ended = false;
};

/// Reports \p Diagnostic at \p At, to \p To : a Sema or a Preprocessor.
template <typename Reporter>
Report<Reporter> report(Reporter &To, clang::SourceLocation At,
                        diagnostic::Kind Diagnostic) {
  return {To, At, Diagnostic};
}

} // namespace heddle

#endif
