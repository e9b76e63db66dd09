//===- PragmaHandler.cpp - `#pragma heddle ...` ---------------------------===//
//
// A directive reaches its loop as an attribute of the statement: the handler
// gives Clang's parser, in the place of
//
//   #pragma heddle async tasks(N) private(x, y)
//
// the tokens
//
//   [[heddle_async(<number>, 0, (N), 1, x, y)]]
//
// where <number> is the directive's number and each further literal, at the
// position of the clause's keyword, is the index of the clause whose arguments
// follow. Clang parses the expressions and reports their errors in the pragma's
// line. AsyncAttribute.cpp receives the result.
//
//===----------------------------------------------------------------------===//

#include "AsyncPragma.h"
#include "CompilerCaches.h"
#include "Diagnostics.h"
#include "Lookahead.h"
#include "PragmaParser.h"
#include "PreprocessedOutput.h"
#include "clang/Basic/DiagnosticParse.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SaveAndRestore.h"
#include "llvm/Support/StringSaver.h"
#include <utility>

using namespace clang;
using namespace heddle;
using llvm::StringRef;

namespace {

/// Builds the attribute's tokens.
class AttributeTokens {
public:
  explicit AttributeTokens(Preprocessor &PP) : PP(PP) {}

  /// Moves the loop hints that are the next tokens to the front.
  void takeLoopHints() {
    Token Next;
    for (PP.Lex(Next); Next.is(tok::annot_pragma_loop_hint); PP.Lex(Next))
      Tokens.push_back(Next);
    PP.EnterToken(Next, /*IsReinject=*/true);
  }

  void punctuation(tok::TokenKind Kind, SourceLocation At) {
    Token Tok;
    Tok.startToken();
    Tok.setKind(Kind);
    Tok.setLocation(At);
    Tok.setLength(1);
    Tokens.push_back(Tok);
  }

  void identifier(StringRef Name, SourceLocation At) {
    punctuation(tok::identifier, At);
    Tokens.back().setIdentifierInfo(PP.getIdentifierInfo(Name));
    Tokens.back().setLength(Name.size());
  }

  void number(unsigned Value, SourceLocation At) {
    // Clang reads one character past the literal.
    StringRef Text = llvm::StringSaver(PP.getPreprocessorAllocator())
                         .save(llvm::Twine(Value));
    punctuation(tok::numeric_constant, At);
    Tokens.back().setLiteralData(Text.data());
    Tokens.back().setLength(Text.size());
  }

  void append(llvm::ArrayRef<Token> More) { llvm::append_range(Tokens, More); }

  /// Makes them the next tokens that the parser gets.
  void enter() {
    auto Stream = std::make_unique<Token[]>(Tokens.size());
    llvm::copy(Tokens, Stream.get());
    PP.EnterTokenStream(std::move(Stream), Tokens.size(),
                        /*DisableMacroExpansion=*/true, /*IsReinject=*/false);
  }

private:
  Preprocessor &PP;
  llvm::SmallVector<Token, 32> Tokens;
};

class HeddlePragmaHandler : public PragmaHandler {
public:
  HeddlePragmaHandler() : PragmaHandler("heddle") {}

  void HandlePragma(Preprocessor &PP, PragmaIntroducer Introducer,
                    Token &Heddle) override;

private:
  void handleDirective(Preprocessor &PP, PragmaIntroducer Introducer,
                       const Token &Heddle, const Token &Name,
                       DirectiveKind Directive);
  void handleUnknown(Preprocessor &PP, const Token &Directive);

  /// Whether a directive's line is being read, which may hold a _Pragma.
  bool ReadingLine = false;
  /// Whether the output of -E says which plugin it is for.
  bool NamedLibraries = false;
};

} // namespace

/// Whether the directives are to be diagnosed only, for a server of an editor,
/// which takes each token that is parsed for one of the file.
static bool onlyDiagnoses() {
  return llvm::sys::Process::GetEnv("HEDDLE_EDITOR").has_value();
}

static bool isDirectiveName(StringRef Name) {
  return directiveNamed(Name).has_value();
}

/// Checks that \p Next may be the loop that the directive needs.
static bool checkLoopFollows(Preprocessor &PP, const AsyncPragma &Pragma,
                             const Following &Next) {
  SourceLocation Begin = Pragma.Range.getBegin();
  StringRef Name = directiveName(Pragma.Directive);
  switch (Next.What) {
  case Following::MaybeLoop:
  case Following::LoopHint:
    return true;
  case Following::OpenMPDirective:
  case Following::OpenACCDirective: {
    StringRef Other =
        Next.What == Following::OpenMPDirective ? "OpenMP" : "OpenACC";
    report(PP, Begin, diagnostic::BeforeOtherDirective)
        << Other << Name << Pragma.Range;
    report(PP, Next.Where, diagnostic::NoteOtherDirective) << Other;
    return false;
  }
  case Following::EndOfFile:
    // The loop may follow in the file that includes this one.
    if (!PP.isInPrimaryFile())
      return true;
    report(PP, Begin, diagnostic::ExpectedLoop) << Name << Pragma.Range;
    return false;
  case Following::NoLoop:
    report(PP, Begin, diagnostic::ExpectedLoop) << Name << Pragma.Range;
    report(PP, Next.Where, diagnostic::NoteNotALoop);
    return false;
  }
  llvm_unreachable("unknown lookahead");
}

/// Returns the location of the attribute's opening bracket: the directive,
/// unless Clang would warn there of an attribute that the language does not
/// have. The user wrote none, so the bracket is then located in a system
/// header.
static SourceLocation bracketLocation(Preprocessor &PP, SourceLocation Begin) {
  const LangOptions &Language = PP.getLangOpts();
  unsigned Warning = Language.CPlusPlus11 ? diag::warn_cxx98_compat_attribute
                     : Language.CPlusPlus ? diag::warn_ext_cxx11_attributes
                     : Language.C23       ? diag::warn_pre_c23_compat_attributes
                                          : diag::warn_ext_c23_attributes;
  if (PP.getDiagnostics().isIgnored(Warning, Begin))
    return Begin;
  SourceManager &Sources = PP.getSourceManager();
  return Sources.getLocForStartOfFile(Sources.createFileID(
      llvm::MemoryBuffer::getMemBuffer("[", "<heddle>"), SrcMgr::C_System,
      /*LoadedID=*/0, /*LoadedOffset=*/0, Sources.getExpansionLoc(Begin)));
}

void HeddlePragmaHandler::HandlePragma(Preprocessor &PP,
                                       PragmaIntroducer Introducer,
                                       Token &Heddle) {
  if (ReadingLine) {
    report(PP, Heddle.getLocation(), diagnostic::NestedDirective);
    PP.DiscardUntilEndOfDirective();
    return;
  }
  Token Directive;
  lexName(PP, Directive, isDirectiveName);
  if (PP.isPreprocessedOutput()) {
    if (!std::exchange(NamedLibraries, true))
      nameLibrariesInOutput(PP, *this, Heddle.getLocation());
    return keepInPreprocessedOutput(PP, *this, Heddle, Directive);
  }
  if (nameOf(Directive) == LibraryPragma)
    PP.DiscardUntilEndOfDirective();
  else if (std::optional<DirectiveKind> Kind =
               directiveNamed(nameOf(Directive)))
    handleDirective(PP, Introducer, Heddle, Directive, *Kind);
  else
    handleUnknown(PP, Directive);
}

void HeddlePragmaHandler::handleDirective(Preprocessor &PP,
                                          PragmaIntroducer Introducer,
                                          const Token &Heddle,
                                          const Token &Name,
                                          DirectiveKind Directive) {
  PragmaParser Parser(PP);
  {
    llvm::SaveAndRestore Reading(ReadingLine, true);
    if (!Parser.parse(Heddle, Name, Directive))
      return;
  }
  Following Next = Introducer.Kind == PIK_HashPragma
                       ? lookPastLine(PP, Parser.endOfLine())
                       : lookPastOperator(PP, Introducer.Loc);
  if (!checkLoopFollows(PP, Parser.Pragma, Next) || onlyDiagnoses())
    return;
  const AsyncPragma &Pragma = Parser.Pragma;
  SourceLocation Begin = Pragma.Range.getBegin();
  SourceLocation End = Pragma.Range.getEnd();
  AttributeTokens Tokens(PP);
  // Clang takes attributes behind loop hints, not in front of them.
  if (Next.What == Following::LoopHint)
    Tokens.takeLoopHints();
  Tokens.punctuation(tok::l_square, bracketLocation(PP, Begin));
  Tokens.punctuation(tok::l_square, Begin);
  Tokens.identifier(AttributeName, Pragma.Location);
  Tokens.punctuation(tok::l_paren, Pragma.Location);
  Tokens.number(rememberPragma(Pragma), Pragma.Location);
  for (auto [Index, Clause] : llvm::enumerate(Pragma.Clauses)) {
    Tokens.punctuation(tok::comma, Clause.Keyword);
    Tokens.number(Index, Clause.Keyword);
    if (Clause.Value)
      continue;
    Tokens.punctuation(tok::comma, Clause.LeftParenthesis);
    bool OneExpression = !recordOf(Clause.Kind).namesVariables();
    if (OneExpression)
      Tokens.punctuation(tok::l_paren, Clause.LeftParenthesis);
    Tokens.append(Parser.Arguments[Index]);
    if (OneExpression)
      Tokens.punctuation(tok::r_paren, Clause.RightParenthesis);
  }
  Tokens.punctuation(tok::r_paren, End);
  Tokens.punctuation(tok::r_square, End);
  Tokens.punctuation(tok::r_square, End);
  Tokens.enter();
}

void HeddlePragmaHandler::handleUnknown(Preprocessor &PP,
                                        const Token &Directive) {
  StringRef Name = nameOf(Directive);
  if (Name.empty()) {
    report(PP, Directive.getLocation(), diagnostic::ExpectedDirective);
  } else {
    StringRef Similar = similarDirective(Name);
    Report<Preprocessor> Error =
        report(PP, Directive.getLocation(), diagnostic::UnknownDirective);
    Error << Name << !Similar.empty() << Similar;
    if (!Similar.empty())
      Error << FixItHint::CreateReplacement(Directive.getLocation(), Similar);
  }
  if (Directive.isNot(tok::eod))
    PP.DiscardUntilEndOfDirective();
}

static PragmaHandlerRegistry::Add<HeddlePragmaHandler>
    HandlerRegistration("heddle", "the directives of Heddle");
