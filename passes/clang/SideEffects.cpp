//===- SideEffects.cpp - May a condition be evaluated at will? ------------===//

#include "SideEffects.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;
using namespace heddle;

static bool isPure(const CallExpr *Call) {
  const Decl *Callee = Call->getCalleeDecl();
  return Callee &&
         (Callee->hasAttr<ConstAttr>() || Callee->hasAttr<PureAttr>());
}

/// Looks at \p E itself, not at its operands.
static SideEffect sideEffectOf(const Expr *E) {
  switch (E->getStmtClass()) {
  case Stmt::BinaryOperatorClass:
    return {cast<BinaryOperator>(E)->isAssignmentOp() ? E : nullptr};
  case Stmt::UnaryOperatorClass:
    return {cast<UnaryOperator>(E)->isIncrementDecrementOp() ? E : nullptr};
  case Stmt::CompoundAssignOperatorClass:
  case Stmt::AtomicExprClass:
  case Stmt::StmtExprClass:
  case Stmt::CXXNewExprClass:
  case Stmt::CXXDeleteExprClass:
  case Stmt::CXXThrowExprClass:
  case Stmt::CoawaitExprClass:
  case Stmt::CoyieldExprClass:
  case Stmt::DependentCoawaitExprClass:
    return {E};
  case Stmt::CallExprClass:
  case Stmt::CXXMemberCallExprClass:
  case Stmt::CXXOperatorCallExprClass:
  case Stmt::UserDefinedLiteralClass:
    return isPure(cast<CallExpr>(E)) ? SideEffect() : SideEffect{E, true};
  case Stmt::CXXConstructExprClass:
  case Stmt::CXXTemporaryObjectExprClass:
    return cast<CXXConstructExpr>(E)->getConstructor()->isTrivial()
               ? SideEffect()
               : SideEffect{E, true};
  default: {
    auto *Cast = dyn_cast<CastExpr>(E);
    bool ReadsVolatile = Cast && Cast->getCastKind() == CK_LValueToRValue &&
                         Cast->getSubExpr()->getType().isVolatileQualified();
    return {ReadsVolatile ? E : nullptr};
  }
  }
}

SideEffect heddle::findSideEffect(const Expr *Expression) {
  if (SideEffect Found = sideEffectOf(Expression))
    return Found;
  // Their operands are not evaluated.
  if (isa<UnaryExprOrTypeTraitExpr, CXXNoexceptExpr, LambdaExpr>(Expression))
    return {};
  for (const Stmt *Child : Expression->children())
    if (auto *Operand = dyn_cast_or_null<Expr>(Child))
      if (SideEffect Found = findSideEffect(Operand))
        return Found;
  return {};
}
