//===- Lookahead.cpp - The text after a directive -------------------------===//

#include "Lookahead.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;
using namespace heddle;
using llvm::StringRef;

namespace {

/// Reads tokens of a file as they are written.
class RawLexer {
public:
  RawLexer(Preprocessor &PP, SourceLocation Begin)
      : PP(PP), Lex(lexerAt(PP, Begin)) {
    next();
  }

  void next() {
    Lex.LexFromRawLexer(Tok);
    if (Tok.is(tok::raw_identifier))
      PP.LookUpIdentifierInfo(Tok);
  }

  void skipLine() {
    do
      next();
    while (Tok.isNot(tok::eof) && !Tok.isAtStartOfLine());
  }

  bool atDirective() const {
    return Tok.is(tok::hash) && Tok.isAtStartOfLine();
  }

  /// The word at the current place, if it is on the same line.
  StringRef word() const {
    const IdentifierInfo *Identifier =
        Tok.isAtStartOfLine() || Tok.isAnnotation() ? nullptr
                                                    : Tok.getIdentifierInfo();
    return Identifier ? Identifier->getName() : StringRef();
  }

  Token Tok;

private:
  static Lexer lexerAt(Preprocessor &PP, SourceLocation Begin) {
    SourceManager &Sources = PP.getSourceManager();
    auto [File, Offset] = Sources.getDecomposedLoc(Begin);
    StringRef Text = Sources.getBufferData(File);
    return Lexer(Sources.getLocForStartOfFile(File), PP.getLangOpts(),
                 Text.begin(), Text.begin() + Offset, Text.end());
  }

  Preprocessor &PP;
  Lexer Lex;
};

} // namespace

/// Returns the effect of the pragma at \p Raw on the loop, and moves to the
/// next line.
static Following::Kind readPragma(RawLexer &Raw, const LangOptions &Language) {
  auto Kind = Following::MaybeLoop;
  Raw.next();
  if (Raw.word() == "pragma") {
    Raw.next();
    StringRef Name = Raw.word();
    if (Name == "omp" && Language.OpenMP)
      Kind = Following::OpenMPDirective;
    else if (Name == "acc" && Language.OpenACC)
      Kind = Following::OpenACCDirective;
    else if (Name == "heddle" || Name == "unroll" || Name == "nounroll" ||
             Name == "unroll_and_jam" || Name == "nounroll_and_jam")
      Kind = Following::LoopHint;
    else if (Name == "clang") {
      Raw.next();
      if (Raw.word() == "loop")
        Kind = Following::LoopHint;
    }
  }
  Raw.skipLine();
  return Kind;
}

static bool isMacro(const Token &Tok) {
  const IdentifierInfo *Identifier = Tok.getIdentifierInfo();
  return Identifier && Identifier->hasMacroDefinition();
}

static bool maybeLoop(const Token &Tok) {
  return isMacro(Tok) || Tok.isOneOf(tok::kw_for, tok::kw_while, tok::kw_do,
                                     tok::l_square, tok::kw___attribute);
}

/// Classifies the text at \p Raw.
static Following lookAt(Preprocessor &PP, RawLexer &Raw) {
  SourceLocation Where = Raw.Tok.getLocation();
  if (Raw.Tok.is(tok::eof))
    return {Following::EndOfFile, Where};
  if (!Raw.atDirective())
    return {maybeLoop(Raw.Tok) ? Following::MaybeLoop : Following::NoLoop,
            Where};
  Following::Kind Kind = readPragma(Raw, PP.getLangOpts());
  while (Kind == Following::LoopHint && Raw.atDirective())
    Kind = readPragma(Raw, PP.getLangOpts());
  // Lexing up to a macro, which may be empty, could reach the end of the file.
  if (Kind == Following::LoopHint && (Raw.Tok.is(tok::eof) || isMacro(Raw.Tok)))
    Kind = Following::MaybeLoop;
  return {Kind, Where};
}

Following heddle::lookPastLine(Preprocessor &PP, SourceLocation EndOfLine) {
  if (!EndOfLine.isFileID())
    return {Following::MaybeLoop, EndOfLine};
  RawLexer Raw(PP, EndOfLine);
  return lookAt(PP, Raw);
}

Following heddle::lookPastOperator(Preprocessor &PP, SourceLocation Operator) {
  // Within a macro the text does not tell.
  if (!Operator.isFileID())
    return {Following::MaybeLoop, Operator};
  RawLexer Raw(PP, Operator);
  Raw.next();
  unsigned Depth = 0;
  do {
    if (Raw.Tok.is(tok::l_paren))
      ++Depth;
    else if (Raw.Tok.is(tok::r_paren))
      --Depth;
    Raw.next();
  } while (Depth != 0 && Raw.Tok.isNot(tok::eof));
  return lookAt(PP, Raw);
}
