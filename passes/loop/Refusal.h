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

/// Advice to the user. Empty if there is nothing to recommend.
const char *nextOf(RefusalKind Kind);

/// The record's text, without arguments in place of %0 and %1.
const char *textOf(RefusalKind Kind);

/// The record's text with \p Arguments.
std::string textOf(RefusalKind Kind,
                   std::initializer_list<std::string> Arguments);

/// The reason, in the user's words, and the instruction that it is about.
struct Refusal {
  RefusalKind Kind;
  std::string Reason;
  const llvm::Instruction *At = nullptr;
};

/// Whether a directive without effect is what the user can expect where this is
/// the reason: nothing is optimised, nothing is left to interleave, or another
/// directive has the effect.
bool isExpected(RefusalKind Kind);

/// Whether the loop could be rewritten, but would not be faster.
bool isChoice(RefusalKind Kind);

using MaybeRefusal = std::optional<Refusal>;

inline Refusal refuse(RefusalKind Kind, const llvm::Instruction *At = nullptr) {
  return {Kind, textOf(Kind), At};
}

inline Refusal refuse(RefusalKind Kind,
                      std::initializer_list<std::string> Arguments,
                      const llvm::Instruction *At = nullptr) {
  return {Kind, textOf(Kind, Arguments), At};
}

/// Adds the kind of the refusal and the advice to the finished \p Remark, for
/// records of remarks (YAML) only.
void addKind(llvm::DiagnosticInfoOptimizationBase &Remark, RefusalKind Kind);

} // namespace heddle

#endif
