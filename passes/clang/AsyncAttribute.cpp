//===- AsyncAttribute.cpp - From the directive to its loop ----------------===//
//
// Receives the attribute that PragmaHandler.cpp put in front of a statement,
// with its arguments parsed, once the statement itself has been parsed. Leaves
// the two traces that MarkProtocol.h describes: a loop hint that becomes loop
// metadata, and a call in the loop's body. Both are ordinary parts of the
// syntax tree, so templates, lambdas and OpenMP regions treat them like
// anything else in the loop.
//
//===----------------------------------------------------------------------===//

#include "AsyncPragma.h"
#include "ClauseArguments.h"
#include "Diagnostics.h"
#include "LoopBody.h"
#include "MarkerCall.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Stmt.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"

using namespace clang;
using namespace heddle;

/// Returns the directive's number, or nullopt if no pragma wrote this
/// attribute.
static std::optional<uint64_t> directiveNumber(const ParsedAttr &Attribute) {
  if (Attribute.getNumArgs() == 0 || !Attribute.isArgExpr(0))
    return std::nullopt;
  auto *Number = dyn_cast<IntegerLiteral>(Attribute.getArgAsExpr(0));
  if (!Number)
    return std::nullopt;
  uint64_t Value = Number->getValue().getLimitedValue();
  const AsyncPragma *Pragma = findPragma(Value);
  if (!Pragma || Pragma->Location != Number->getLocation())
    return std::nullopt;
  return Value;
}

/// Sorts the attribute's arguments under the clauses.
static void addArguments(const ParsedAttr &Attribute, const AsyncPragma &Pragma,
                         ClauseArguments &Arguments) {
  const PragmaClause *Clause = nullptr;
  for (unsigned I = 1; I != Attribute.getNumArgs(); ++I) {
    Expr *Argument = Attribute.getArgAsExpr(I);
    auto *Next = Clause ? Clause + 1 : Pragma.Clauses.begin();
    bool BeginsClause = Next != Pragma.Clauses.end() &&
                        isa<IntegerLiteral>(Argument) &&
                        Argument->getBeginLoc() == Next->Keyword;
    if (!BeginsClause) {
      Arguments.add(*Clause, Argument);
      continue;
    }
    Clause = Next;
    if (Clause->Value)
      Arguments.Operands.push_back(
          {Clause->Kind, Arguments.literal(*Clause->Value, Clause->Keyword)});
  }
}

/// Whether another directive has marked \p Loop itself, which is found by the
/// mark that it left in \p Body.
static const AsyncPragma *previousDirective(const Stmt *Loop, Stmt *Body) {
  auto *Block = dyn_cast<CompoundStmt>(Body);
  if (!Block)
    return nullptr;
  for (const Stmt *Statement : Block->body()) {
    if (isa<DeclStmt>(Statement))
      continue;
    std::optional<uint64_t> Number = markedDirective(Statement);
    const AsyncPragma *Pragma = Number ? findPragma(*Number) : nullptr;
    if (!Pragma)
      return nullptr;
    if (Pragma->Loop == Loop)
      return Pragma;
  }
  return nullptr;
}

static Attr *markLoop(Sema &S, Stmt *Loop, const ParsedAttr &Attribute,
                      uint64_t Number) {
  AsyncPragma &Pragma = *findPragma(Number);
  Stmt *MarkedLoop = loopForMarks(Loop);
  if (auto *Previous = previousDirective(Loop, bodyOf(MarkedLoop))) {
    report(S, Pragma.Range.getBegin(), diagnostic::DuplicateDirective)
        << Pragma.Range;
    report(S, Previous->Range.getBegin(), diagnostic::NotePreviousDirective);
    return nullptr;
  }
  ClauseArguments Arguments(S);
  addArguments(Attribute, Pragma, Arguments);
  if (Arguments.hasError())
    return nullptr;

  SourceLocation At = bodyOf(MarkedLoop)->getBeginLoc();
  llvm::SmallVector<Expr *, 16> Operands{Arguments.literal(Number, At)};
  if (Pragma.Directive != AsyncDirective)
    Operands.append(
        {Arguments.literal(Pull, At),
         Arguments.literal(Pragma.Directive == VectorSparseDirective, At)});
  for (const ClauseArguments::Operand &Operand : Arguments.Operands) {
    Operands.push_back(Arguments.literal(Operand.Kind, At));
    Operands.push_back(Operand.Value);
  }
  Stmt *Call = buildMarkerCall(S, At, Operands);
  if (!Call)
    return nullptr;
  llvm::SmallVector<Stmt *, 4> Marks;
  for (Decl *Assertion : Arguments.Assertions)
    Marks.push_back(new (S.Context) DeclStmt(DeclGroupRef(Assertion), At, At));
  Marks.push_back(Call);
  insertIntoBody(S.Context, MarkedLoop, Marks);
  Pragma.Loop = Loop;
  return LoopHintAttr::CreateImplicit(
      S.Context, LoopHintAttr::PipelineInitiationInterval,
      LoopHintAttr::Numeric, Arguments.literal(Number, Pragma.Location),
      Attribute.getRange());
}

namespace {

class AsyncAttribute : public ParsedAttrInfo {
public:
  AsyncAttribute() {
    static constexpr Spelling Names[] = {{ParsedAttr::AS_CXX11, AttributeName},
                                         {ParsedAttr::AS_C23, AttributeName}};
    Spellings = Names;
    IsStmt = true;
    // The largest number that the bit field holds: Clang reads it as no limit.
    OptArgs = 15;
  }

  bool diagAppertainsToStmt(Sema &S, const ParsedAttr &Attribute,
                            const Stmt *Statement) const override {
    if (isLoop(Statement))
      return true;
    reportNoLoop(S, Attribute, Statement->getBeginLoc());
    return false;
  }

  bool diagAppertainsToDecl(Sema &S, const ParsedAttr &Attribute,
                            const Decl *Declaration) const override {
    reportNoLoop(S, Attribute, Declaration->getBeginLoc());
    return false;
  }

  AttrHandling handleStmtAttribute(Sema &S, Stmt *Statement,
                                   const ParsedAttr &Attribute,
                                   Attr *&Result) const override {
    if (std::optional<uint64_t> Number = directiveNumber(Attribute))
      Result = markLoop(S, Statement, Attribute, *Number);
    else
      report(S, Attribute.getLoc(), diagnostic::AttributeWrittenByHand);
    return Result ? AttributeApplied : AttributeNotApplied;
  }

private:
  static void reportNoLoop(Sema &S, const ParsedAttr &Attribute,
                           SourceLocation Found) {
    std::optional<uint64_t> Number = directiveNumber(Attribute);
    if (!Number) {
      report(S, Attribute.getLoc(), diagnostic::AttributeWrittenByHand);
      return;
    }
    const AsyncPragma &Pragma = *findPragma(*Number);
    report(S, Pragma.Range.getBegin(), diagnostic::ExpectedLoop)
        << directiveName(Pragma.Directive) << Pragma.Range;
    report(S, Found, diagnostic::NoteNotALoop);
  }
};

ParsedAttrInfoRegistry::Add<AsyncAttribute>
    AttributeRegistration(AttributeName,
                          "carries '#pragma heddle' to its loop");

} // namespace
