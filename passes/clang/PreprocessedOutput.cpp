//===- PreprocessedOutput.cpp - Directives under -E -----------------------===//

#include "PreprocessedOutput.h"
#include "AsyncPragma.h"
#include "PragmaParser.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;
using namespace heddle;

/// The pragma as a line of text.
static std::string lineAsText(Preprocessor &PP, Token Tok) {
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
  return Line;
}

void heddle::keepInPreprocessedOutput(Preprocessor &PP, PragmaHandler &Handler,
                                      const Token &Heddle,
                                      const Token &Directive) {
  printPragma(PP, Handler, Heddle.getLocation(), lineAsText(PP, Directive));
}

// The printer handles a pragma only if no other handler does, so the handler is
// removed while the preprocessor reads the text as a _Pragma.
void heddle::printPragma(Preprocessor &PP, PragmaHandler &Handler,
                         SourceLocation Where, llvm::StringRef Text) {
  const std::string Literal = '"' + Lexer::Stringify(Text) + '"';
  constexpr unsigned Count = 5;
  auto Tokens = std::make_unique<Token[]>(Count);
  for (unsigned I = 0; I != Count; ++I) {
    Tokens[I].startToken();
    Tokens[I].setLocation(Where);
  }
  Tokens[0].setKind(tok::identifier);
  Tokens[0].setIdentifierInfo(PP.getIdentifierInfo("_Pragma"));
  Tokens[1].setKind(tok::l_paren);
  Tokens[2].setKind(tok::string_literal);
  PP.CreateString(Literal, Tokens[2], Where, Where);
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
