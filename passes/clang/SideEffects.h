//===- SideEffects.h - May a condition be evaluated at will? ----*- C++ -*-===//
//
// The condition of an `if` clause may be evaluated any number of times, so it
// must not have side effects.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_CLANG_SIDEEFFECTS_H
#define HEDDLE_PASSES_CLANG_SIDEEFFECTS_H

namespace clang {
class Expr;
}

namespace heddle {

struct SideEffect {
  /// The part of the expression that has the side effect, or null if there is
  /// none.
  const clang::Expr *Where = nullptr;
  /// Whether that part is a call of a function without a known body.
  bool IsCall = false;

  explicit operator bool() const { return Where; }
};

SideEffect findSideEffect(const clang::Expr *Expression);

} // namespace heddle

#endif
