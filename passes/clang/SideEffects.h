//===- SideEffects.h - May a condition be evaluated at will? ----*- C++ -*-===//
//
// The condition of an `if` clause is evaluated as often as the compiler
// pleases, so it may do nothing but compute.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_CLANG_SIDEEFFECTS_H
#define HEDDLE_PASSES_CLANG_SIDEEFFECTS_H

namespace clang {
class Expr;
}

namespace heddle {

struct SideEffect {
  /// The part of the expression to blame, or null if there is none.
  const clang::Expr *Where = nullptr;
  /// Whether that is a call of a function of which nothing is known.
  bool IsCall = false;

  explicit operator bool() const { return Where; }
};

SideEffect findSideEffect(const clang::Expr *Expression);

} // namespace heddle

#endif
