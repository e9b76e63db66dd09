//===- PragmaParser.h - The tokens of a directive ---------------*- C++ -*-===//
//
// Reads the rest of the line after `#pragma heddle NAME` and reports the errors
// that tokens alone show. The text in a clause's parentheses is kept as
// balanced tokens for Clang's own parser.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_CLANG_PRAGMAPARSER_H
#define HEDDLE_PASSES_CLANG_PRAGMAPARSER_H

#include "AsyncPragma.h"
#include "Diagnostics.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Lex/Token.h"

namespace clang {
class Preprocessor;
}

namespace heddle {

class PragmaParser {
public:
  explicit PragmaParser(clang::Preprocessor &PP) : PP(PP) {}

  /// Reads the directive's clauses up to and including the end of the line.
  /// \p Heddle and \p Name are the tokens in front of them.
  /// \returns whether the directive is well-formed.
  bool parse(const clang::Token &Heddle, const clang::Token &Name,
             DirectiveKind Directive);

  /// The location of the end of the line that has been parsed.
  clang::SourceLocation endOfLine() const { return Tok.getLocation(); }

  AsyncPragma Pragma;
  /// The tokens of the arguments, one entry a clause of `Pragma`. Empty where
  /// the clause has its value.
  llvm::SmallVector<llvm::SmallVector<clang::Token, 4>, 4> Arguments;

private:
  void next();
  void nextName();
  bool atEnd() const { return Tok.isOneOf(clang::tok::eod, clang::tok::eof); }
  void skipLine();
  Report<clang::Preprocessor> error(clang::SourceLocation At,
                                    diagnostic::Kind Diagnostic);

  /// Both functions read one clause and the token after it.
  bool parseClause(ClauseKind Kind);
  bool parseUnknownClause();
  void noteClauses();

  /// Reads from an opening parenthesis to behind the one that closes it.
  bool collectArguments(llvm::StringRef ClauseName,
                        llvm::SmallVectorImpl<clang::Token> &Tokens,
                        clang::SourceLocation &RightParenthesis);

  using TokenList = llvm::ArrayRef<clang::Token>;
  bool takeScheduler(PragmaClause &Clause, TokenList Tokens);
  bool checkOneArgument(const PragmaClause &Clause, TokenList Tokens);
  bool checkCountOrAuto(PragmaClause &Clause, TokenList Tokens);
  bool checkExpression(const PragmaClause &Clause, TokenList Tokens);
  bool checkVariables(const PragmaClause &Clause, TokenList Tokens);
  bool checkArguments(PragmaClause &Clause, TokenList Tokens);
  bool checkUnique(const PragmaClause &Clause);

  clang::Preprocessor &PP;
  clang::Token Tok;
  bool HasError = false;
};

/// Reads the next token into \p Tok, which names a directive or a clause if
/// \p IsName says so. Such a name is not expanded, because some header may
/// contain `#define near`; any other macro is.
void lexName(clang::Preprocessor &PP, clang::Token &Tok,
             llvm::function_ref<bool(llvm::StringRef)> IsName);

/// The text of \p Tok if it is an identifier or a keyword.
llvm::StringRef nameOf(const clang::Token &Tok);

} // namespace heddle

#endif
