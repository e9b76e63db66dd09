//===- Diagnostics.cpp - Diagnostics of the directives --------------------===//

#include "Diagnostics.h"
#include "clang/Basic/DiagnosticFrontend.h"
#include <optional>

using clang::DiagnosticIDs;
namespace diag = clang::diag;

namespace {

struct Description {
  DiagnosticIDs::Class Class;
  diag::Severity Severity;
  const char *Text;
};

constexpr DiagnosticIDs::Class Error = DiagnosticIDs::CLASS_ERROR;
constexpr DiagnosticIDs::Class Note = DiagnosticIDs::CLASS_NOTE;

/// Clang gives notes the highest severity: the diagnostic that they belong to
/// decides.
constexpr diag::Severity severityOf(DiagnosticIDs::Class Class) {
  return Class == Error ? diag::Severity::Error : diag::Severity::Fatal;
}

constexpr Description Descriptions[] = {
#define HEDDLE_DIAGNOSTIC(Name, Class, Text) {Class, severityOf(Class), Text},
#include "Diagnostics.def"
};

} // namespace

unsigned heddle::diagnostic::id(Kind Diagnostic) {
  return Descriptions[Diagnostic].Class == Error ? diag::err_fe_backend_plugin
                                                 : diag::note_fe_backend_plugin;
}

unsigned heddle::diagnostic::textId(clang::DiagnosticsEngine &Diagnostics,
                                    Kind Diagnostic) {
  const Description &D = Descriptions[Diagnostic];
  return Diagnostics.getDiagnosticIDs()->getCustomDiagID(
      {D.Severity, D.Text, D.Class, /*ShowInSystemHeader=*/true,
       /*ShowInSystemMacro=*/true, std::nullopt});
}
