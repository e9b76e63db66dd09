//===- AssemblyNames.cpp - Names that inline assembly defines -------------===//

#include "ir/AssemblyNames.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;
using namespace heddle;

/// What `%=` is in LLVM's assembly strings.
static constexpr char Unique[] = "${:uid}";

/// The directives that may be given twice.
static bool mayBeRepeated(StringRef Directive) {
  return Directive.starts_with(".cfi_") ||
         StringSwitch<bool>(Directive)
             .Cases({".byte", ".short", ".word", ".long", ".int", ".quad",
                     ".octa", ".2byte", ".4byte", ".8byte"},
                    true)
             .Cases({".ascii", ".asciz", ".string", ".zero", ".space", ".skip",
                     ".fill", ".org"},
                    true)
             .Cases({".align", ".balign", ".p2align", ".text", ".data", ".bss",
                     ".section", ".pushsection", ".popsection", ".previous",
                     ".subsection"},
                    true)
             .Cases({".globl", ".global", ".weak", ".hidden", ".local", ".type",
                     ".size", ".set", ".equ", ".ident"},
                    true)
             .Cases({".if", ".ifdef", ".ifndef", ".else", ".endif",
                     ".intel_syntax", ".att_syntax", ".code32", ".code64",
                     ".arch", ".cpu"},
                    true)
             .Default(false);
}

static bool isOfName(char C) {
  return isAlnum(C) || C == '_' || C == '.' || C == '$' || C == '@' ||
         C == '?' || C == '\\';
}

/// \p Statement without the labels in front of it that may be repeated; nothing
/// if another one comes first.
static std::optional<StringRef> withoutLabels(StringRef Statement) {
  while (true) {
    Statement = Statement.ltrim();
    const StringRef Name = Statement.take_while(isOfName);
    const StringRef Behind = Statement.drop_front(Name.size()).ltrim();
    if (Name.empty() || !Behind.starts_with(':'))
      return Statement;
    if (!all_of(Name, isDigit))
      return std::nullopt;
    Statement = Behind.drop_front();
  }
}

static bool mayDefineName(StringRef Statement) {
  // Comments, quoted names, and text for one of several dialects.
  if (Statement.contains(':') &&
      (Statement.contains('"') || Statement.contains("$(")))
    return true;
  const std::optional<StringRef> Rest = withoutLabels(Statement);
  return !Rest || (Rest->starts_with('.') &&
                   !mayBeRepeated(Rest->take_while(isOfName).lower()));
}

/// \p Text without labels with unique names.
static std::string withoutUnique(StringRef Text) {
  std::string Kept;
  while (true) {
    const size_t At = Text.find(Unique);
    StringRef Front = Text.substr(0, At);
    if (At == StringRef::npos)
      return Kept + Front.str();
    StringRef Behind = Text.substr(At + StringRef(Unique).size());
    Behind = Behind.drop_while(isOfName);
    const StringRef Colon = Behind.ltrim();
    if (Colon.starts_with(':')) {
      while (!Front.empty() && isOfName(Front.back()))
        Front = Front.drop_back();
      Behind = Colon.drop_front();
    }
    Kept += Front;
    Text = Behind;
  }
}

bool heddle::mayDefineName(const CallBase &Call) {
  auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand());
  if (!Asm)
    return false;
  const std::string Text = withoutUnique(Asm->getAsmString());
  if (StringRef(Text).contains("/*"))
    return true;
  SmallVector<StringRef, 8> Statements;
  SplitString(Text, Statements, "\n;");
  return any_of(Statements,
                [](StringRef Statement) { return ::mayDefineName(Statement); });
}
