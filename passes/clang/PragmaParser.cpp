//===- PragmaParser.cpp - The tokens of a directive -----------------------===//

#include "PragmaParser.h"
#include "clang/Basic/DiagnosticParse.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;
using namespace heddle;
using llvm::StringRef;

StringRef heddle::nameOf(const Token &Tok) {
  if (Tok.isAnnotation())
    return {};
  const IdentifierInfo *Identifier = Tok.getIdentifierInfo();
  return Identifier ? Identifier->getName() : StringRef();
}

/// The macro that \p Tok names, or null.
static MacroInfo *macroAt(Preprocessor &PP, const Token &Tok) {
  return nameOf(Tok).empty() ? nullptr
                             : PP.getMacroInfo(Tok.getIdentifierInfo());
}

void heddle::lexName(Preprocessor &PP, Token &Tok,
                     llvm::function_ref<bool(StringRef)> IsName) {
  PP.LexUnexpandedToken(Tok);
  MacroInfo *Macro = macroAt(PP, Tok);
  // The preprocessor would go from an empty macro right to the next name.
  while (Macro && !IsName(nameOf(Tok)) && Macro->isObjectLike() &&
         Macro->tokens_empty() && !Macro->isBuiltinMacro()) {
    PP.markMacroAsUsed(Macro);
    PP.LexUnexpandedToken(Tok);
    Macro = macroAt(PP, Tok);
  }
  if (!Macro || IsName(nameOf(Tok)))
    return;
  auto Again = std::make_unique<Token[]>(1);
  Again[0] = Tok;
  PP.EnterTokenStream(std::move(Again), 1, /*DisableMacroExpansion=*/false,
                      /*IsReinject=*/true);
  PP.Lex(Tok);
}

static bool isClauseName(StringRef Name) {
  return clauseNamed(Name).has_value();
}

/// The bracket that closes \p Opening, or tok::unknown.
static tok::TokenKind closingBracket(tok::TokenKind Opening) {
  switch (Opening) {
  case tok::l_paren:
    return tok::r_paren;
  case tok::l_square:
    return tok::r_square;
  case tok::l_brace:
    return tok::r_brace;
  default:
    return tok::unknown;
  }
}

void PragmaParser::next() { PP.Lex(Tok); }

void PragmaParser::nextName() { lexName(PP, Tok, isClauseName); }

void PragmaParser::skipLine() {
  while (!atEnd())
    next();
}

Report<Preprocessor> PragmaParser::error(SourceLocation At,
                                         diagnostic::Kind Diagnostic) {
  HasError = true;
  return report(PP, At, Diagnostic);
}

bool PragmaParser::parse(const Token &Heddle, const Token &DirectiveName,
                         DirectiveKind Directive) {
  Pragma.Directive = Directive;
  Pragma.Location = DirectiveName.getLocation();
  Pragma.Range = {Heddle.getLocation(), DirectiveName.getLocation()};
  nextName();
  while (!atEnd()) {
    // Like OpenMP, permits a comma between clauses.
    if (Tok.is(tok::comma) && !Pragma.Clauses.empty())
      nextName();
    StringRef Name = nameOf(Tok);
    if (Name.empty()) {
      error(Tok.getLocation(), diagnostic::ExpectedClause)
          << directiveName(Directive);
      noteClauses();
      break;
    }
    std::optional<ClauseKind> Kind = clauseNamed(Name);
    bool Known = Kind && takesClause(Directive, *Kind);
    if (Known ? !parseClause(*Kind) : !parseUnknownClause())
      break;
  }
  skipLine();
  return !HasError;
}

void PragmaParser::noteClauses() {
  report(PP, Tok.getLocation(), diagnostic::NoteClauses)
      << listClauses(Pragma.Directive);
}

bool PragmaParser::parseClause(ClauseKind Kind) {
  PragmaClause Clause{Kind, Tok.getLocation(), {}, {}, std::nullopt};
  next();
  if (Tok.isNot(tok::l_paren)) {
    HasError = true;
    PP.Diag(Tok.getLocation(), diag::err_expected_lparen_after)
        << clauseName(Kind);
    return false;
  }
  Clause.LeftParenthesis = Tok.getLocation();
  llvm::SmallVector<Token, 4> Tokens;
  if (!collectArguments(clauseName(Kind), Tokens, Clause.RightParenthesis))
    return false;
  if (checkUnique(Clause) && checkArguments(Clause, Tokens)) {
    if (Clause.Value)
      Tokens.clear();
    Pragma.Range.setEnd(Clause.RightParenthesis);
    Pragma.Clauses.push_back(Clause);
    Arguments.push_back(std::move(Tokens));
  }
  return true;
}

bool PragmaParser::parseUnknownClause() {
  StringRef Name = nameOf(Tok);
  StringRef Similar = similarClause(Pragma.Directive, Name);
  {
    Report<Preprocessor> Error =
        error(Tok.getLocation(), diagnostic::UnknownClause);
    Error << Name << !Similar.empty() << Similar
          << directiveName(Pragma.Directive);
    if (!Similar.empty())
      Error << FixItHint::CreateReplacement(Tok.getLocation(), Similar);
  }
  noteClauses();
  nextName();
  if (Tok.isNot(tok::l_paren))
    return true;
  llvm::SmallVector<Token, 4> Tokens;
  SourceLocation RightParenthesis;
  return collectArguments(Name, Tokens, RightParenthesis);
}

bool PragmaParser::collectArguments(StringRef ClauseName,
                                    llvm::SmallVectorImpl<Token> &Tokens,
                                    SourceLocation &RightParenthesis) {
  llvm::SmallVector<Token, 4> Open{Tok};
  while (true) {
    next();
    if (closingBracket(Tok.getKind()) != tok::unknown) {
      Open.push_back(Tok);
    } else if (Tok.isOneOf(tok::r_paren, tok::r_square, tok::r_brace) ||
               atEnd()) {
      tok::TokenKind Expected = closingBracket(Open.back().getKind());
      if (Tok.isNot(Expected)) {
        HasError = true;
        PP.Diag(Tok.getLocation(), diag::err_expected) << Expected;
        PP.Diag(Open.back().getLocation(), diag::note_matching)
            << Open.back().getKind();
        return false;
      }
      Open.pop_back();
      if (Open.empty()) {
        RightParenthesis = Tok.getLocation();
        nextName();
        return true;
      }
    } else if (Tok.is(tok::semi) || Tok.isAnnotation()) {
      // Clang's parser would take either for the end of the directive.
      error(Tok.getLocation(), diagnostic::UnexpectedToken)
          << (Tok.is(tok::semi) ? ";" : "pragma") << ClauseName;
      return false;
    }
    Tokens.push_back(Tok);
  }
}

bool PragmaParser::checkUnique(const PragmaClause &Clause) {
  if (recordOf(Clause.Kind).namesVariables())
    return true;
  for (const PragmaClause &Previous : Pragma.Clauses) {
    if (Previous.Kind != Clause.Kind)
      continue;
    error(Clause.Keyword, diagnostic::DuplicateClause)
        << clauseName(Clause.Kind) << directiveName(Pragma.Directive);
    report(PP, Previous.Keyword, diagnostic::NotePreviousClause)
        << clauseName(Clause.Kind);
    return false;
  }
  return true;
}

bool PragmaParser::checkArguments(PragmaClause &Clause, TokenList Tokens) {
  switch (recordOf(Clause.Kind).Argument) {
  case ClauseArgument::CountOrAuto:
    return checkCountOrAuto(Clause, Tokens);
  case ClauseArgument::Schedule:
    return takeScheduler(Clause, Tokens);
  case ClauseArgument::Count:
  case ClauseArgument::Condition:
  case ClauseArgument::Size:
    return checkExpression(Clause, Tokens);
  case ClauseArgument::Variables:
  case ClauseArgument::Arrays:
    return checkVariables(Clause, Tokens);
  }
  llvm_unreachable("not a kind of argument");
}

/// Finds a comma that cannot be part of a template's arguments.
bool PragmaParser::checkOneArgument(const PragmaClause &Clause,
                                    TokenList Tokens) {
  int Depth = 0;
  for (const Token &Token : Tokens) {
    if (Token.is(tok::less))
      return true;
    if (Token.isOneOf(tok::l_paren, tok::l_square, tok::l_brace))
      ++Depth;
    else if (Token.isOneOf(tok::r_paren, tok::r_square, tok::r_brace))
      --Depth;
    else if (Token.is(tok::comma) && Depth == 0) {
      error(Token.getLocation(), diagnostic::ClauseTakesOneArgument)
          << clauseName(Clause.Kind);
      return false;
    }
  }
  return true;
}

bool PragmaParser::checkCountOrAuto(PragmaClause &Clause, TokenList Tokens) {
  if (Tokens.size() == 1 && nameOf(Tokens[0]) == "auto") {
    Clause.Value = 0;
    return true;
  }
  if (!Tokens.empty())
    return checkOneArgument(Clause, Tokens);
  error(Clause.RightParenthesis, diagnostic::ExpectedCountOrAuto)
      << clauseName(Clause.Kind);
  return false;
}

bool PragmaParser::takeScheduler(PragmaClause &Clause, TokenList Tokens) {
  StringRef Name = Tokens.empty() ? StringRef() : nameOf(Tokens[0]);
  if (Name.empty()) {
    error(Tokens.empty() ? Clause.RightParenthesis : Tokens[0].getLocation(),
          diagnostic::ExpectedScheduler)
        << listSchedulers("'", "'", "or") << clauseName(Clause.Kind);
    return false;
  }
  if (std::optional<SchedulerKind> Kind = schedulerNamed(Name)) {
    Clause.Value = *Kind;
  } else {
    StringRef Similar = similarScheduler(Name);
    Report<Preprocessor> Error =
        error(Tokens[0].getLocation(), diagnostic::UnknownScheduler);
    Error << Name << !Similar.empty()
          << (Similar.empty() ? listSchedulers("'", "'", "or") : Similar.str());
    if (!Similar.empty())
      Error << FixItHint::CreateReplacement(Tokens[0].getLocation(), Similar);
    return false;
  }
  if (Tokens.size() == 1)
    return true;
  error(Tokens[1].getLocation(), diagnostic::ClauseTakesOneArgument)
      << clauseName(Clause.Kind);
  return false;
}

bool PragmaParser::checkExpression(const PragmaClause &Clause,
                                   TokenList Tokens) {
  if (!Tokens.empty())
    return checkOneArgument(Clause, Tokens);
  error(Clause.RightParenthesis, diagnostic::ExpectedClauseExpression)
      << clauseName(Clause.Kind);
  return false;
}

/// Finds errors that Clang's parser would report for the attribute.
bool PragmaParser::checkVariables(const PragmaClause &Clause,
                                  TokenList Tokens) {
  if (Tokens.empty()) {
    error(Clause.RightParenthesis, diagnostic::ExpectedVariableList)
        << clauseName(Clause.Kind);
    return false;
  }
  for (size_t I = 0; I != Tokens.size(); ++I) {
    if (Tokens[I].is(tok::ellipsis)) {
      error(Tokens[I].getLocation(), diagnostic::UnexpectedToken)
          << "..." << clauseName(Clause.Kind);
      return false;
    }
    if (I != 0 && Tokens[I].is(tok::identifier) &&
        Tokens[I - 1].is(tok::identifier)) {
      error(Tokens[I].getLocation(), diagnostic::ExpectedCommaOrParenthesis)
          << clauseName(Clause.Kind);
      return false;
    }
  }
  return true;
}
