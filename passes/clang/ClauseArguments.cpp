//===- ClauseArguments.cpp - From a clause's expressions to values --------===//

#include "ClauseArguments.h"
#include "SideEffects.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Sema/EnterExpressionEvaluationContext.h"
#include "clang/Sema/Sema.h"

using namespace clang;
using namespace heddle;
using llvm::StringRef;

using EvaluationContext = Sema::ExpressionEvaluationContext;

void ClauseArguments::add(const PragmaClause &Clause, Expr *Argument) {
  // Clang has reported the error.
  if (Argument->containsErrors()) {
    HasError = true;
    return;
  }
  Expr *Value = nullptr;
  switch (recordOf(Clause.Kind).Argument) {
  case ClauseArgument::Count:
  case ClauseArgument::CountOrAuto:
    Value = count(Clause, Argument);
    break;
  case ClauseArgument::Condition:
    Value = condition(Clause, Argument);
    break;
  case ClauseArgument::Size:
    Value = size(Clause, Argument);
    break;
  case ClauseArgument::Variables:
  case ClauseArgument::Arrays:
    Value = address(Clause, Argument);
    break;
  case ClauseArgument::Schedule:
    llvm_unreachable("has no expression");
  }
  if (Value)
    Operands.push_back({Clause.Kind, Value});
  else
    HasError = true;
}

Expr *ClauseArguments::literal(unsigned Value, SourceLocation At) {
  ASTContext &Context = S.Context;
  return IntegerLiteral::Create(
      Context, llvm::APInt(Context.getIntWidth(Context.IntTy), Value),
      Context.IntTy, At);
}

Report<Sema> ClauseArguments::error(SourceLocation At,
                                    diagnostic::Kind Diagnostic) {
  HasError = true;
  return report(S, At, Diagnostic);
}

//===----------------------------------------------------------------------===//
// Counts: tasks(N), coalesce(N), suspensions(N)
//===----------------------------------------------------------------------===//

namespace {

class CountDiagnoser : public Sema::VerifyICEDiagnoser {
public:
  explicit CountDiagnoser(StringRef Clause) : Clause(Clause) {}

  Sema::SemaDiagnosticBuilder diagnoseNotICEType(Sema &S, SourceLocation At,
                                                 QualType Type) override {
    return (report(S, At, diagnostic::NotAnInteger) << Clause << Type).end();
  }

  Sema::SemaDiagnosticBuilder diagnoseNotICE(Sema &S,
                                             SourceLocation At) override {
    return (report(S, At, diagnostic::NotConstant) << Clause).end();
  }

private:
  StringRef Clause;
};

} // namespace

Expr *ClauseArguments::count(const PragmaClause &Clause, Expr *Argument) {
  StringRef Name = clauseName(Clause.Kind);
  Expr *Inner = Argument->IgnoreParens();
  if (auto *Comma = dyn_cast<BinaryOperator>(Inner);
      Comma && Comma->getOpcode() == BO_Comma) {
    error(Comma->getRHS()->getBeginLoc(), diagnostic::ClauseTakesOneArgument)
        << Name << Comma->getRHS()->getSourceRange();
    return nullptr;
  }
  EnterExpressionEvaluationContext Context(
      S, EvaluationContext::ConstantEvaluated);
  if (Inner->isValueDependent())
    return dependentCount(Clause, Inner);
  CountDiagnoser Diagnoser(Name);
  llvm::APSInt Value;
  if (S.VerifyIntegerConstantExpression(Inner, &Value, Diagnoser,
                                        AllowFoldKind::Allow)
          .isInvalid())
    return nullptr;
  unsigned Maximum = recordOf(Clause.Kind).Maximum;
  if (Value < 1 || Value > Maximum) {
    error(Inner->getBeginLoc(), diagnostic::OutOfRange)
        << Name << Maximum << llvm::toString(Value, 10)
        << Inner->getSourceRange();
    return nullptr;
  }
  return literal(Value.getZExtValue(), Inner->getBeginLoc());
}

/// Returns the operand for a count that depends on a template parameter: its
/// value is checked, and known, when the template is instantiated. The operand
/// is the size of an array type, which code generation always knows as a
/// constant, however it is computed.
Expr *ClauseArguments::dependentCount(const PragmaClause &Clause,
                                      Expr *Argument) {
  SourceLocation At = Argument->getBeginLoc();
  SourceRange Range = Argument->getSourceRange();
  StringRef Name = clauseName(Clause.Kind);
  QualType Type = Argument->getType();
  if (!Type->isDependentType() && !Type->isRecordType() &&
      !Type->isIntegralOrUnscopedEnumerationType()) {
    error(At, diagnostic::NotAnInteger) << Name << Type << Range;
    return nullptr;
  }
  auto Cast = [&](QualType To, Expr *E) {
    return S
        .BuildCXXNamedCast(At, tok::kw_static_cast,
                           S.Context.getTrivialTypeSourceInfo(To, At), E, Range,
                           Range)
        .get();
  };
  auto Binary = [&](BinaryOperatorKind Operator, Expr *Left, Expr *Right) {
    return S.BuildBinOp(nullptr, At, Operator, Left, Right).get();
  };
  unsigned Maximum = recordOf(Clause.Kind).Maximum;
  Expr *Count = Cast(S.Context.LongLongTy, Argument);
  Expr *InRange = Binary(BO_LAnd, Binary(BO_GE, Count, literal(1, At)),
                         Binary(BO_LE, Count, literal(Maximum, At)));
  assertWhenInstantiated(InRange, ("argument of '" + Name +
                                   "' clause must be between 1 and " +
                                   llvm::Twine(Maximum))
                                      .str());
  Expr *Size =
      S.ActOnConditionalOp(At, At, InRange, Count, literal(1, At)).get();
  QualType Array =
      S.BuildArrayType(S.Context.CharTy, ArraySizeModifier::Normal, Size,
                       /*Quals=*/0, Range, DeclarationName());
  Expr *SizeOf = S.CreateUnaryExprOrTypeTraitExpr(
                      S.Context.getTrivialTypeSourceInfo(Array, At), At,
                      UETT_SizeOf, Range)
                     .get();
  return Cast(S.Context.IntTy, SizeOf);
}

void ClauseArguments::assertWhenInstantiated(Expr *Condition,
                                             StringRef Message) {
  SourceLocation At = Condition->getBeginLoc();
  ASTContext &Context = S.Context;
  QualType Type = Context.getConstantArrayType(
      Context.CharTy.withConst(), llvm::APInt(32, Message.size() + 1), nullptr,
      ArraySizeModifier::Normal, 0);
  Expr *Text =
      StringLiteral::Create(Context, Message, StringLiteralKind::Unevaluated,
                            /*Pascal=*/false, Type, At);
  Assertions.push_back(S.BuildStaticAssertDeclaration(
      At, Condition, Text, Condition->getEndLoc(), /*Failed=*/false));
}

//===----------------------------------------------------------------------===//
// Conditions: if(condition)
//===----------------------------------------------------------------------===//

Expr *ClauseArguments::condition(const PragmaClause &Clause, Expr *Argument) {
  SourceLocation At = Argument->getBeginLoc();
  if (!Argument->isValueDependent()) {
    Expr::EvalResult Result;
    bool Value;
    if (Argument->EvaluateAsRValue(Result, S.Context) &&
        !Result.HasSideEffects &&
        Argument->EvaluateAsBooleanCondition(Value, S.Context))
      return literal(Value, At);
  }
  if (!checkSideEffects(Clause, Argument))
    return nullptr;
  Expr *Choice =
      S.ActOnConditionalOp(At, At, Argument, literal(1, At), literal(0, At))
          .get();
  // The conversion to a truth value may call or read something, too.
  return Choice && checkSideEffects(Clause, Choice) ? Choice : nullptr;
}

bool ClauseArguments::checkSideEffects(const PragmaClause &Clause,
                                       const Expr *Argument) {
  SideEffect Effect = findSideEffect(Argument);
  if (!Effect)
    return true;
  error(Effect.Where->getExprLoc(), Effect.IsCall
                                        ? diagnostic::ConditionCallsFunction
                                        : diagnostic::ConditionHasSideEffects)
      << (recordOf(Clause.Kind).Argument != ClauseArgument::Condition)
      << clauseName(Clause.Kind) << Effect.Where->getSourceRange();
  return false;
}

//===----------------------------------------------------------------------===//
// Sizes: edges(count)
//===----------------------------------------------------------------------===//

/// Returns a `long long`; a value that is not positive selects the default.
Expr *ClauseArguments::size(const PragmaClause &Clause, Expr *Argument) {
  SourceLocation At = Argument->getBeginLoc();
  ASTContext &Context = S.Context;
  if (!checkSideEffects(Clause, Argument))
    return nullptr;
  if (Argument->isTypeDependent())
    return S
        .BuildCXXNamedCast(
            At, tok::kw_static_cast,
            Context.getTrivialTypeSourceInfo(Context.LongLongTy, At), Argument,
            Argument->getSourceRange(), Argument->getSourceRange())
        .get();
  if (!Argument->getType()->isIntegralOrUnscopedEnumerationType()) {
    error(At, diagnostic::NotAnInteger)
        << clauseName(Clause.Kind) << Argument->getType()
        << Argument->getSourceRange();
    return nullptr;
  }
  Expr::EvalResult Constant;
  if (!Argument->isValueDependent() &&
      Argument->EvaluateAsInt(Constant, Context) && Constant.Val.getInt() < 1) {
    error(At, diagnostic::NotPositive)
        << clauseName(Clause.Kind) << llvm::toString(Constant.Val.getInt(), 10)
        << Argument->getSourceRange();
    return nullptr;
  }
  Expr *Value = S.DefaultLvalueConversion(Argument).get();
  return Value ? S.ImpCastExprToType(Value, Context.LongLongTy, CK_IntegralCast)
                     .get()
               : nullptr;
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

/// The variable in quotes, as the user would write it.
static std::string quoted(const Expr *Variable, const ASTContext &Context) {
  std::string Text;
  llvm::raw_string_ostream Stream(Text);
  Stream << '\'';
  Variable->printPretty(Stream, nullptr, Context.getPrintingPolicy());
  Stream << '\'';
  return Text;
}

Expr *ClauseArguments::address(const PragmaClause &Clause, Expr *Argument) {
  Expr *Variable = Argument->IgnoreParenImpCasts();
  if (!checkVariable(Clause, Variable) || !checkConflicts(Clause, Variable))
    return nullptr;
  if (recordOf(Clause.Kind).Argument == ClauseArgument::Arrays &&
      !checkPointer(Clause, Variable))
    return nullptr;
  // The builtin ignores an overloaded operator&.
  return S.BuildBuiltinCallExpr(Variable->getBeginLoc(),
                                Builtin::BI__builtin_addressof, Variable);
}

/// Accepts a variable or a member of one, however deep.
bool ClauseArguments::checkVariable(const PragmaClause &Clause,
                                    const Expr *Variable) {
  const Expr *E = Variable;
  while (true) {
    if (auto *Reference = dyn_cast<DeclRefExpr>(E))
      return checkDeclaration(Clause, Reference->getDecl(), E);
    if (auto *Member = dyn_cast<MemberExpr>(E)) {
      if (!checkDeclaration(Clause, Member->getMemberDecl(), E))
        return false;
      E = Member->getBase()->IgnoreParenImpCasts();
    } else if (auto *Member = dyn_cast<CXXDependentScopeMemberExpr>(E)) {
      if (Member->isImplicitAccess())
        return true;
      E = Member->getBase()->IgnoreParenImpCasts();
    } else {
      break;
    }
  }
  if ((isa<CXXThisExpr>(E) && E != Variable) ||
      isa<DependentScopeDeclRefExpr>(E))
    return true;
  if (auto *Functions = dyn_cast<OverloadExpr>(E))
    error(E->getExprLoc(), diagnostic::NotAVariable)
        << Functions->getName() << clauseName(Clause.Kind)
        << E->getSourceRange();
  else
    error(Variable->getBeginLoc(), diagnostic::ExpectedVariable)
        << clauseName(Clause.Kind) << Variable->getSourceRange();
  return false;
}

bool ClauseArguments::checkDeclaration(const PragmaClause &Clause,
                                       const ValueDecl *Declaration,
                                       const Expr *Mention) {
  SourceLocation At = Mention->getExprLoc();
  auto *Variable = dyn_cast<VarDecl>(Declaration);
  if (!Variable && !isa<FieldDecl, BindingDecl>(Declaration))
    error(At, diagnostic::NotAVariable)
        << Declaration << clauseName(Clause.Kind) << Mention->getSourceRange();
  else if (Mention->getSourceBitField())
    error(At, diagnostic::BitField) << Declaration << Mention->getSourceRange();
  else if (Variable && Variable->getStorageClass() == SC_Register &&
           !S.getLangOpts().CPlusPlus)
    error(At, diagnostic::RegisterVariable)
        << Declaration << Mention->getSourceRange();
  else
    return true;
  if (Declaration->getLocation().isValid())
    report(S, Declaration->getLocation(), diagnostic::NoteDeclaredHere)
        << Declaration;
  return false;
}

bool ClauseArguments::checkConflicts(const PragmaClause &Clause,
                                     const Expr *Variable) {
  Mention New{Clause.Kind, Variable->getExprLoc(), {}};
  Variable->Profile(New.Variable, S.Context, /*Canonical=*/true);
  for (const Mention &Previous : Mentions) {
    if (Previous.Variable != New.Variable ||
        !excludeEachOther(recordOf(Previous.Kind), recordOf(Clause.Kind)))
      continue;
    error(New.Location, diagnostic::ConflictingClauses)
        << quoted(Variable, S.Context) << clauseName(Previous.Kind)
        << clauseName(Clause.Kind) << Variable->getSourceRange();
    report(S, Previous.Location, diagnostic::NotePreviousMention)
        << clauseName(Previous.Kind);
    return false;
  }
  Mentions.push_back(std::move(New));
  return true;
}

bool ClauseArguments::checkPointer(const PragmaClause &Clause, Expr *Variable) {
  QualType Type = Variable->getType().getNonReferenceType();
  if (Type->isPointerType() || Type->isArrayType())
    return true;
  SourceLocation At = Variable->getExprLoc();
  StringRef Name = clauseName(Clause.Kind);
  if (!Type->isDependentType() || Type->isRecordType()) {
    error(At, diagnostic::NotAPointer) << quoted(Variable, S.Context) << Name
                                       << Type << Variable->getSourceRange();
    return false;
  }
  EnterExpressionEvaluationContext Context(S, EvaluationContext::Unevaluated);
  QualType Object = S.BuildUnaryTransformType(
      S.BuildDecltypeType(Variable), UnaryTransformType::RemoveReference, At);
  auto Is = [&](TypeTrait Trait) {
    return S
        .BuildTypeTrait(Trait, At,
                        S.Context.getTrivialTypeSourceInfo(Object, At), At)
        .get();
  };
  assertWhenInstantiated(
      S.BuildBinOp(nullptr, At, BO_LOr, Is(UTT_IsPointer), Is(UTT_IsArray))
          .get(),
      (llvm::Twine(quoted(Variable, S.Context)) + " in '" + Name +
       "' clause must be a pointer or an array")
          .str());
  return true;
}
