//===- MarkerCall.cpp - The call that carries the clauses -----------------===//

#include "MarkerCall.h"
#include "mark/MarkProtocol.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Sema/Sema.h"

using namespace clang;
using namespace heddle;

/// Declares `void __heddle_mark(int, ...)` with C linkage.
static FunctionDecl *declareMarker(ASTContext &Context, IdentifierInfo &Name) {
  TranslationUnitDecl *Unit = Context.getTranslationUnitDecl();
  DeclContext *Owner = Unit;
  if (Context.getLangOpts().CPlusPlus) {
    auto *ExternC = LinkageSpecDecl::Create(Context, Unit, {}, {},
                                            LinkageSpecLanguageIDs::C, false);
    ExternC->setImplicit();
    Unit->addDecl(ExternC);
    Owner = ExternC;
  }
  FunctionProtoType::ExtProtoInfo Prototype;
  Prototype.Variadic = true;
  QualType Type =
      Context.getFunctionType(Context.VoidTy, {Context.IntTy}, Prototype);
  auto *Marker = FunctionDecl::Create(Context, Owner, {}, {}, &Name, Type,
                                      nullptr, SC_Extern);
  Marker->setParams(ParmVarDecl::Create(Context, Marker, {}, {}, nullptr,
                                        Context.IntTy, nullptr, SC_None,
                                        nullptr));
  Marker->setImplicit();
  Marker->addAttr(NoThrowAttr::CreateImplicit(Context));
  Owner->addDecl(Marker);
  return Marker;
}

static FunctionDecl *findOrDeclareMarker(ASTContext &Context) {
  IdentifierInfo &Name = Context.Idents.get(MarkFunctionName);
  for (NamedDecl *Found : Context.getTranslationUnitDecl()->lookup(&Name))
    if (auto *Marker = dyn_cast<FunctionDecl>(Found))
      return Marker;
  return declareMarker(Context, Name);
}

Stmt *heddle::buildMarkerCall(Sema &S, SourceLocation At,
                              llvm::ArrayRef<Expr *> Arguments) {
  FunctionDecl *Marker = findOrDeclareMarker(S.Context);
  Expr *Callee = S.BuildDeclRefExpr(Marker, Marker->getType(), VK_LValue, At);
  llvm::SmallVector<Expr *, 16> Operands(Arguments);
  ExprResult Call = S.BuildCallExpr(nullptr, Callee, At, Operands, At);
  if (Call.isInvalid())
    return nullptr;
  Call = S.ActOnFinishFullExpr(Call.get(), At, /*DiscardedValue=*/true);
  if (Call.isInvalid() || !S.getLangOpts().CPlusPlus)
    return Call.get();
  // `if !consteval`: evaluation at compile time passes the call by.
  return IfStmt::Create(S.Context, At, IfStatementKind::ConstevalNegated,
                        nullptr, nullptr, nullptr, At, At, Call.get());
}

std::optional<uint64_t> heddle::markedDirective(const Stmt *Statement) {
  if (auto *If = dyn_cast<IfStmt>(Statement))
    Statement = If->getThen();
  auto *Call = dyn_cast<CallExpr>(Statement);
  auto *Callee =
      Call ? dyn_cast_or_null<FunctionDecl>(Call->getCalleeDecl()) : nullptr;
  if (!Callee || !Callee->isImplicit() || !Callee->getIdentifier() ||
      Callee->getName() != MarkFunctionName)
    return std::nullopt;
  auto *Number = cast<IntegerLiteral>(Call->getArg(0));
  return Number->getValue().getZExtValue();
}
