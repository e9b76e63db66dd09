//===- AsyncPragma.h - One `#pragma heddle` as written ----------*- C++ -*-===//
//
// The facts about a directive that the pragma handler passes on to its
// attribute: the position of each clause and what its tokens alone decide. The
// clauses' expressions are parsed by Clang and arrive as the attribute's
// arguments (see PragmaHandler.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_CLANG_ASYNCPRAGMA_H
#define HEDDLE_PASSES_CLANG_ASYNCPRAGMA_H

#include "mark/Clauses.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace clang {
class Stmt;
}

namespace heddle {

/// The attribute that carries a directive from the pragma to its loop.
constexpr char AttributeName[] = "heddle_async";

struct PragmaClause {
  ClauseKind Kind;
  clang::SourceLocation Keyword;
  clang::SourceLocation LeftParenthesis;
  clang::SourceLocation RightParenthesis;
  /// The value, where the tokens tell it: a SchedulerKind, or 0 for
  /// tasks(auto). Otherwise the arguments are expressions.
  std::optional<unsigned> Value;
};

struct AsyncPragma {
  DirectiveKind Directive;
  /// The directive's name.
  clang::SourceLocation Location;
  /// The range from `heddle` to the last clause.
  clang::SourceRange Range;
  llvm::SmallVector<PragmaClause, 4> Clauses;
  /// The loop, once it is known.
  const clang::Stmt *Loop = nullptr;
};

/// Keeps \p Pragma for as long as the compiler runs, since the bodies of member
/// functions are parsed long after their tokens were read.
/// \returns its directive number (see MarkProtocol.h).
unsigned rememberPragma(AsyncPragma Pragma);

/// \returns the directive of that number, or null.
AsyncPragma *findPragma(uint64_t Number);

/// Names of directives, clauses and schedulers.
llvm::StringRef directiveName(DirectiveKind Kind);
std::optional<DirectiveKind> directiveNamed(llvm::StringRef Name);
llvm::StringRef clauseName(ClauseKind Kind);
std::optional<ClauseKind> clauseNamed(llvm::StringRef Name);
std::optional<SchedulerKind> schedulerNamed(llvm::StringRef Name);

/// A sentence that names the directive's clauses.
std::string listClauses(DirectiveKind Directive);

/// Whether the directive has such a clause.
bool takesClause(DirectiveKind Directive, ClauseKind Clause);

/// The name that was probably meant by \p Name, or an empty string.
llvm::StringRef similarDirective(llvm::StringRef Name);
llvm::StringRef similarClause(DirectiveKind Directive, llvm::StringRef Name);
llvm::StringRef similarScheduler(llvm::StringRef Name);

} // namespace heddle

#endif
