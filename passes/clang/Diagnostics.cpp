//===- Diagnostics.cpp - What the directives' diagnostics say -------------===//

#include "Diagnostics.h"
#include "clang/Basic/Diagnostic.h"
#include <optional>

using clang::DiagnosticIDs;
namespace diag = clang::diag;

namespace {

struct Description {
  DiagnosticIDs::Class Class;
  diag::Severity Severity;
  std::optional<diag::Group> Group;
  const char *Text;
};

constexpr DiagnosticIDs::Class Error = DiagnosticIDs::CLASS_ERROR;
constexpr DiagnosticIDs::Class Warning = DiagnosticIDs::CLASS_WARNING;
constexpr DiagnosticIDs::Class Note = DiagnosticIDs::CLASS_NOTE;
constexpr std::nullopt_t None = std::nullopt;
constexpr diag::Group IgnoredPragmas = diag::Group::IgnoredPragmas;

/// Clang gives notes the highest severity: what they belong to decides.
constexpr diag::Severity severityOf(DiagnosticIDs::Class Class) {
  return Class == Error     ? diag::Severity::Error
         : Class == Warning ? diag::Severity::Warning
                            : diag::Severity::Fatal;
}

constexpr Description Descriptions[] = {
#define HEDDLE_DIAGNOSTIC(Name, Class, Group, Text)                            \
  {Class, severityOf(Class), Group, Text},
#include "Diagnostics.def"
};

} // namespace

unsigned heddle::diagnostic::id(clang::DiagnosticsEngine &Diagnostics,
                                Kind Diagnostic) {
  const Description &D = Descriptions[Diagnostic];
  // Warnings keep quiet in system headers; errors and notes do not.
  bool InSystemHeaders = D.Class != Warning;
  return Diagnostics.getDiagnosticIDs()->getCustomDiagID(
      {D.Severity, D.Text, D.Class, InSystemHeaders,
       /*ShowInSystemMacro=*/true, D.Group});
}
