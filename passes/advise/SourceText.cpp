//===- SourceText.cpp - What stands at a place of the source --------------===//

#include "advise/SourceText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace heddle;

/// Longer expressions are no names.
static constexpr size_t LongestExpression = 48;

static bool isNameCharacter(char C) { return isAlnum(C) || C == '_'; }

/// Returns the end of the brackets that open at \p At, or npos.
static size_t endOfBrackets(StringRef Line, size_t At) {
  unsigned Depth = 0;
  for (size_t End = At; End < Line.size(); ++End) {
    Depth += Line[End] == '[';
    if (Line[End] == ']' && --Depth == 0)
      return End + 1;
  }
  return StringRef::npos;
}

/// Returns the beginning of the brackets that close before \p At, or npos.
static size_t beginOfBrackets(StringRef Line, size_t At) {
  unsigned Depth = 0;
  while (At > 0) {
    --At;
    Depth += Line[At] == ']';
    if (Line[At] == '[' && --Depth == 0)
      return At;
  }
  return StringRef::npos;
}

/// Returns where `object.` or `object->` in front of the name at \p Begin
/// begins; \p Begin if there is none.
static size_t beginOfObject(StringRef Line, size_t Begin) {
  while (true) {
    const StringRef Before = Line.take_front(Begin);
    const size_t Operator = Before.ends_with("->")  ? 2
                            : Before.ends_with(".") ? 1
                                                    : 0;
    if (!Operator)
      return Begin;
    size_t At = Begin - Operator;
    while (At > 0 && Line[At - 1] == ']')
      if ((At = beginOfBrackets(Line, At)) == StringRef::npos)
        return Begin;
    const size_t EndOfName = At;
    while (At > 0 && isNameCharacter(Line[At - 1]))
      --At;
    if (At == EndOfName)
      return Begin;
    Begin = At;
  }
}

/// Returns the end of the name at \p At and of what follows to it: elements and
/// members.
static size_t endOfPlace(StringRef Line, size_t At) {
  while (At < Line.size()) {
    while (At < Line.size() && isNameCharacter(Line[At]))
      ++At;
    const StringRef Rest = Line.drop_front(At);
    if (Rest.starts_with("[")) {
      const size_t End = endOfBrackets(Line, At);
      if (End == StringRef::npos)
        return At;
      At = End;
      continue;
    }
    const size_t Operator = Rest.starts_with("->") || Rest.starts_with("::") ? 2
                            : Rest.starts_with(".") ? 1
                                                    : 0;
    if (!Operator || At + Operator >= Line.size() ||
        !isNameCharacter(Line[At + Operator]))
      return At;
    At += Operator;
  }
  return At;
}

/// Returns the column of what the assignment at \p Column assigns to; \p Column
/// if there is none.
static size_t assignedColumn(StringRef Line, size_t Column) {
  const StringRef Rest = Line.drop_front(Column);
  const size_t Operator = Rest.find_first_not_of("+-*/%&|^<>");
  if (!Rest.drop_front(std::min(Operator, Rest.size())).starts_with("=") ||
      Rest.drop_front(Operator).starts_with("=="))
    return Column;
  size_t At = Line.take_front(Column).rtrim().size();
  while (At > 0 && Line[At - 1] == ']')
    if ((At = beginOfBrackets(Line, At)) == StringRef::npos)
      return Column;
  while (At > 0 && isNameCharacter(Line[At - 1]))
    --At;
  return At;
}

std::string heddle::expressionAt(StringRef Line, unsigned Column) {
  if (Column == 0 || Column > Line.size())
    return "";
  size_t Name = assignedColumn(Line, Column - 1);
  while (Name < Line.size() && (Line[Name] == '*' || Line[Name] == '('))
    ++Name;
  if (Name == Line.size() || !isNameCharacter(Line[Name]) ||
      isDigit(Line[Name]))
    return "";
  size_t Begin = beginOfObject(Line, Name);
  const size_t End = endOfPlace(Line, Name);
  if (Line.drop_front(End).ltrim().starts_with("(") ||
      End - Begin > LongestExpression)
    return "";
  while (Begin > 0 && Line[Begin - 1] == '*' && Begin == Name &&
         Begin >= Column)
    --Begin;
  return Line.slice(Begin, End).str();
}

std::string heddle::pathOf(const SourcePlace &Place) {
  SmallString<128> Path(Place.File);
  sys::path::make_absolute(Place.Directory, Path);
  sys::path::remove_dots(Path);
  return Path.str().str();
}

StringRef SourceText::line(const SourcePlace &Place) {
  auto [At, New] = Files.try_emplace(pathOf(Place));
  if (New)
    if (auto Buffer = MemoryBuffer::getFile(At->first))
      At->second = std::move(*Buffer);
  if (!At->second || Place.Line == 0)
    return "";
  StringRef Rest = At->second->getBuffer();
  for (unsigned Line = 1; Line < Place.Line; ++Line)
    Rest = Rest.split('\n').second;
  return Rest.split('\n').first.rtrim('\r');
}
