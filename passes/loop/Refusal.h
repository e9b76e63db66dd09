//===- Refusal.h - Why a loop is left alone ---------------------*- C++ -*-===//

#ifndef HEDDLE_PASSES_LOOP_REFUSAL_H
#define HEDDLE_PASSES_LOOP_REFUSAL_H

#include <initializer_list>
#include <optional>
#include <string>

namespace llvm {
class DiagnosticInfoOptimizationBase;
class Instruction;
} // namespace llvm

namespace heddle {

/// Refusals.def describes them.
enum class RefusalKind {
#define HEDDLE_REFUSAL(Group, Kind, Text, Next) Kind,
#include "loop/Refusals.def"
};

/// The name of the reason in records of remarks.
const char *nameOf(RefusalKind Kind);

/// Advice to the user.
const char *nextOf(RefusalKind Kind);

/// The record's text, without arguments in place of %0 and %1.
const char *textOf(RefusalKind Kind);

/// The record's text with \p Arguments.
std::string textOf(RefusalKind Kind,
                   std::initializer_list<std::string> Arguments);

/// The reason, in the user's words, the instruction that it is about, and the
/// advice to the user.
struct Refusal {
  RefusalKind Kind;
  std::string Reason;
  const llvm::Instruction *At = nullptr;
  const char *Next = nextOf(Kind);
};

/// Whether a directive without effect is what the user can expect where this is
/// the reason: nothing is optimised, nothing is left to interleave, or another
/// directive has the effect.
bool isExpected(RefusalKind Kind);

/// Whether the loop could be rewritten, but would not be faster.
bool isChoice(RefusalKind Kind);

using MaybeRefusal = std::optional<Refusal>;

inline Refusal refuse(RefusalKind Kind, const llvm::Instruction *At = nullptr) {
  return {.Kind = Kind, .Reason = textOf(Kind), .At = At};
}

inline Refusal refuse(RefusalKind Kind,
                      std::initializer_list<std::string> Arguments,
                      const llvm::Instruction *At = nullptr) {
  return {.Kind = Kind, .Reason = textOf(Kind, Arguments), .At = At};
}

/// Adds " (line 5)" to \p Remark, where \p Place is "line 5". It may be empty.
void addPlace(llvm::DiagnosticInfoOptimizationBase &Remark,
              const std::string &Place);

/// Ends \p Remark with the advice \p Next.
void addNext(llvm::DiagnosticInfoOptimizationBase &Remark, const char *Next);

/// Ends \p Remark with the advice, and adds the kind of \p Why for records of
/// remarks (YAML).
void addNext(llvm::DiagnosticInfoOptimizationBase &Remark, const Refusal &Why);

} // namespace heddle

#endif
