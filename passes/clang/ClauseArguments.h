//===- ClauseArguments.h - From a clause's expressions to values *- C++ -*-===//
//
// Checks the expressions of a directive's clauses and turns each into the
// operand that the marker call passes on (see MarkProtocol.h). Runs in the
// scope of the loop, inside the lambda or OpenMP region around it, so that the
// variables in clauses are captured like any other variable that the loop uses.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_CLANG_CLAUSEARGUMENTS_H
#define HEDDLE_PASSES_CLANG_CLAUSEARGUMENTS_H

#include "AsyncPragma.h"
#include "Diagnostics.h"
#include "clang/AST/Expr.h"
#include "clang/Sema/SemaBase.h"
#include "llvm/ADT/FoldingSet.h"

namespace clang {
class Sema;
} // namespace clang

namespace heddle {

class ClauseArguments {
public:
  explicit ClauseArguments(clang::Sema &S) : S(S) {}

  /// Takes the next argument of \p Clause. Reports what is wrong with it.
  void add(const PragmaClause &Clause, clang::Expr *Argument);

  /// An `int` of that value, at \p At.
  clang::Expr *literal(unsigned Value, clang::SourceLocation At);

  bool hasError() const { return HasError; }

  struct Operand {
    ClauseKind Kind;
    clang::Expr *Value;
  };
  llvm::SmallVector<Operand, 8> Operands;
  /// The checks that must wait until a template is instantiated, as
  /// static_assert declarations.
  llvm::SmallVector<clang::Decl *, 2> Assertions;

private:
  clang::Expr *count(const PragmaClause &Clause, clang::Expr *Argument);
  clang::Expr *dependentCount(const PragmaClause &Clause,
                              clang::Expr *Argument);
  clang::Expr *condition(const PragmaClause &Clause, clang::Expr *Argument);
  clang::Expr *size(const PragmaClause &Clause, clang::Expr *Argument);
  clang::Expr *address(const PragmaClause &Clause, clang::Expr *Argument);

  bool checkVariable(const PragmaClause &Clause, const clang::Expr *Variable);
  bool checkDeclaration(const PragmaClause &Clause,
                        const clang::ValueDecl *Declaration,
                        const clang::Expr *Mention);
  bool checkPointer(const PragmaClause &Clause, clang::Expr *Variable);
  bool checkConflicts(const PragmaClause &Clause, const clang::Expr *Variable);
  bool checkSideEffects(const PragmaClause &Clause,
                        const clang::Expr *Argument);

  void assertWhenInstantiated(clang::Expr *Condition, llvm::StringRef Message);
  Report<clang::Sema> error(clang::SourceLocation At,
                            diagnostic::Kind Diagnostic);

  struct Mention {
    ClauseKind Kind;
    clang::SourceLocation Location;
    llvm::FoldingSetNodeID Variable;
  };

  clang::Sema &S;
  llvm::SmallVector<Mention, 8> Mentions;
  bool HasError = false;
};

} // namespace heddle

#endif
