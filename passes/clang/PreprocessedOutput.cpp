//===- PreprocessedOutput.cpp - Directives under -E -----------------------===//

#include "PreprocessedOutput.h"
#include "AsyncPragma.h"
#include "PragmaParser.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;
using namespace heddle;

/// The rest of the line as the string literal of a _Pragma.
static std::string lineAsLiteral(Preprocessor &PP, Token Tok) {
  std::string Line = "heddle";
  unsigned Depth = 0;
  while (Tok.isNot(tok::eod) && Tok.isNot(tok::eof)) {
    if (Tok.hasLeadingSpace())
      Line += ' ';
    if (!Tok.isAnnotation())
      Line += PP.getSpelling(Tok);
    if (Tok.is(tok::l_paren))
      ++Depth;
    else if (Tok.is(tok::r_paren) && Depth != 0)
      --Depth;
    if (Depth == 0)
      lexName(PP, Tok, [](llvm::StringRef Name) {
        return clauseNamed(Name).has_value();
      });
    else
      PP.Lex(Tok);
  }
  return '"' + Lexer::Stringify(Line) + '"';
}

// The printer handles a pragma only if no other handler does, so the handler is
// removed while the preprocessor reads the line again as a _Pragma.
void heddle::keepInPreprocessedOutput(Preprocessor &PP, PragmaHandler &Handler,
                                      const Token &Heddle,
                                      const Token &Directive) {
  std::string Literal = lineAsLiteral(PP, Directive);
  constexpr unsigned Count = 5;
  auto Tokens = std::make_unique<Token[]>(Count);
  for (unsigned I = 0; I != Count; ++I) {
    Tokens[I].startToken();
    Tokens[I].setLocation(Heddle.getLocation());
  }
  Tokens[0].setKind(tok::identifier);
  Tokens[0].setIdentifierInfo(PP.getIdentifierInfo("_Pragma"));
  Tokens[1].setKind(tok::l_paren);
  Tokens[2].setKind(tok::string_literal);
  PP.CreateString(Literal, Tokens[2], Heddle.getLocation(),
                  Heddle.getLocation());
  Tokens[3].setKind(tok::r_paren);
  Tokens[4].setKind(tok::eod);

  PP.RemovePragmaHandler(&Handler);
  PP.EnterTokenStream(std::move(Tokens), Count,
                      /*DisableMacroExpansion=*/false, /*IsReinject=*/false);
  Token End;
  do
    PP.Lex(End);
  while (End.isNot(tok::eod) && End.isNot(tok::eof));
  PP.AddPragmaHandler(&Handler);
}
