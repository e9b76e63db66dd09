//===- LibraryCalls.cpp - What functions of the C library access ----------===//

#include "check/library/LibraryCalls.h"

using namespace llvm;
using namespace heddle;
using enum CallEffect;

namespace {

constexpr unsigned WideCharacter = 4;
constexpr unsigned Pointer = 8;

constexpr KnownEffect range(CallEffect Kind, unsigned At, unsigned Count,
                            unsigned Bytes = 1) {
  return {Kind, At, Count, Nothing, Bytes};
}

constexpr KnownEffect state(unsigned At, unsigned Bytes = Pointer) {
  return {Changes, At, Nothing, Nothing, Bytes};
}

constexpr KnownEffect OwnState = {ChangesState, 0, Nothing, Nothing, Pointer};

/// What \p State changes is only written where argument 0 is not null.
constexpr KnownEffect unlessBegun(KnownEffect State) {
  State.Begins = 0;
  return State;
}

constexpr KnownEffect NewFile = {ReturnsNew, 0, Nothing, Nothing, Pointer};

constexpr LibraryCall LibraryCalls[] = {
    // Memory.
    {"memcpy", {{ReadBytes, 1, 2}, {WriteBytes, 0, 2}}},
    {"memmove", {{ReadBytes, 1, 2}, {WriteBytes, 0, 2}}},
    {"mempcpy", {{ReadBytes, 1, 2}, {WriteBytes, 0, 2}}},
    {"__memcpy_chk", {{ReadBytes, 1, 2}, {WriteBytes, 0, 2}}},
    {"__memmove_chk", {{ReadBytes, 1, 2}, {WriteBytes, 0, 2}}},
    {"bcopy", {{ReadBytes, 0, 2}, {WriteBytes, 1, 2}}},
    {"swab", {{ReadBytes, 0, 2}, {WriteBytes, 1, 2}}},
    {"memset", {{WriteBytes, 0, 2}}},
    {"__memset_chk", {{WriteBytes, 0, 2}}},
    {"explicit_bzero", {{WriteBytes, 0, 1}}},
    {"bzero", {{WriteBytes, 0, 1}}},
    {"memcmp", {{ReadBytes, 0, 2}, {ReadBytes, 1, 2}}},
    {"bcmp", {{ReadBytes, 0, 2}, {ReadBytes, 1, 2}}},
    {"memchr", {{ReadBytes, 0, 2}}},
    {"memrchr", {{ReadBytes, 0, 2}}},
    {"memmem", {{ReadBytes, 0, 1}, {ReadBytes, 2, 3}}},
    {"wmemcpy",
     {range(ReadBytes, 1, 2, WideCharacter),
      range(WriteBytes, 0, 2, WideCharacter)}},
    {"wmemmove",
     {range(ReadBytes, 1, 2, WideCharacter),
      range(WriteBytes, 0, 2, WideCharacter)}},
    {"wmemset", {range(WriteBytes, 0, 2, WideCharacter)}},
    {"wmemcmp",
     {range(ReadBytes, 0, 2, WideCharacter),
      range(ReadBytes, 1, 2, WideCharacter)}},
    {"wmemchr", {range(ReadBytes, 0, 2, WideCharacter)}},
    // Strings.
    {"strlen", {{ReadString, 0}}},
    {"strnlen", {{ReadPrefix, 0, 1}}},
    {"strcmp", {{ReadString, 0}, {ReadString, 1}}},
    {"strcasecmp", {{ReadString, 0}, {ReadString, 1}}},
    {"strcoll", {{ReadString, 0}, {ReadString, 1}}},
    {"strncmp", {{ReadPrefix, 0, 2}, {ReadPrefix, 1, 2}}},
    {"strncasecmp", {{ReadPrefix, 0, 2}, {ReadPrefix, 1, 2}}},
    {"strchr", {{ReadString, 0}}},
    {"strchrnul", {{ReadString, 0}}},
    {"strrchr", {{ReadString, 0}}},
    {"strstr", {{ReadString, 0}, {ReadString, 1}}},
    {"strcasestr", {{ReadString, 0}, {ReadString, 1}}},
    {"strspn", {{ReadString, 0}, {ReadString, 1}}},
    {"strcspn", {{ReadString, 0}, {ReadString, 1}}},
    {"strpbrk", {{ReadString, 0}, {ReadString, 1}}},
    {"strcpy", {{ReadString, 1}, {WriteString, 0}}},
    {"strcat", {{ReadString, 1}, {WriteString, 0}}},
    {"stpcpy", {{ReadString, 1}, {WriteString, 0}}},
    {"__strcpy_chk", {{ReadString, 1}, {WriteString, 0}}},
    {"__strcat_chk", {{ReadString, 1}, {WriteString, 0}}},
    {"strncpy", {{ReadPrefix, 1, 2}, {WriteBytes, 0, 2}}},
    {"stpncpy", {{ReadPrefix, 1, 2}, {WriteBytes, 0, 2}}},
    {"__strncpy_chk", {{ReadPrefix, 1, 2}, {WriteBytes, 0, 2}}},
    {"strncat", {{ReadPrefix, 1, 2}, {WriteString, 0}}},
    {"strxfrm", {{ReadString, 1}}},
    {"strdup", {{ReadString, 0}, {ReturnsText}}},
    {"strndup", {{ReadPrefix, 0, 1}, {ReturnsText}}},
    {"strsep", {state(0)}},
    {"strtok_r", {{ReadString, 0}, unlessBegun(state(2))}},
    {"__strtok_r", {{ReadString, 0}, unlessBegun(state(2))}},
    {"strtok", {{ReadString, 0}, unlessBegun(OwnState), {ReturnsOwn}}},
    // Numbers.
    {"atoi", {{ReadNumber, 0}}},
    {"atol", {{ReadNumber, 0}}},
    {"atoll", {{ReadNumber, 0}}},
    {"atof", {{ReadNumber, 0}}},
    {"strtol", {{ReadNumber, 0}}},
    {"strtoul", {{ReadNumber, 0}}},
    {"strtoll", {{ReadNumber, 0}}},
    {"strtoull", {{ReadNumber, 0}}},
    {"__isoc23_strtol", {{ReadNumber, 0}}},
    {"__isoc23_strtoul", {{ReadNumber, 0}}},
    {"__isoc23_strtoll", {{ReadNumber, 0}}},
    {"__isoc23_strtoull", {{ReadNumber, 0}}},
    {"strtof", {{ReadNumber, 0}}},
    {"strtod", {{ReadNumber, 0}}},
    {"strtold", {{ReadNumber, 0}}},
    {"rand", {OwnState}},
    {"random", {OwnState}},
    {"lrand48", {OwnState}},
    {"mrand48", {OwnState}},
    {"drand48", {OwnState}},
    {"rand_r", {state(0, sizeof(unsigned))}},
    {"erand48", {state(0, 3 * sizeof(short))}},
    {"nrand48", {state(0, 3 * sizeof(short))}},
    {"jrand48", {state(0, 3 * sizeof(short))}},
    {"random_r", {state(0)}},
    // Formats.
    {"printf", {{ReadTexts, 0}}},
    {"fprintf", {{ReadTexts, 1}}},
    {"dprintf", {{ReadTexts, 1}}},
    {"__printf_chk", {{ReadTexts, 1}}},
    {"__fprintf_chk", {{ReadTexts, 2}}},
    {"sprintf", {{ReadTexts, 1}, {WriteString, 0}}},
    {"snprintf", {{ReadTexts, 2}, {WriteString, 0}}},
    {"vsprintf", {{WriteString, 0}}},
    {"vsnprintf", {{WriteString, 0}}},
    {"__sprintf_chk", {{ReadTexts, 3}, {WriteString, 0}}},
    {"__snprintf_chk", {{ReadTexts, 4}, {WriteString, 0}}},
    {"sscanf", {{ReadString, 0}}},
    {"__isoc99_sscanf", {{ReadString, 0}}},
    {"__isoc23_sscanf", {{ReadString, 0}}},
    // Files. The order of what is written to one is free.
    {"puts", {{ReadString, 0}}},
    {"fputs", {{ReadString, 0}}},
    {"fwrite", {{ReadBytes, 0, 1, 2}}},
    {"write", {{ReadBytes, 1, 2}}},
    {"pwrite", {{ReadBytes, 1, 2}}},
    {"read", {{WriteResult, 1}}},
    {"pread", {{WriteResult, 1}}},
    {"fread", {{WriteResult, 0, Nothing, 1}, state(3)}},
    {"fgets", {{ReturnsOwn}, state(2)}},
    {"fgetc", {state(0)}},
    {"getc", {state(0)}},
    {"getchar", {OwnState}},
    {"getline", {state(2)}},
    {"fscanf", {state(0)}},
    {"__isoc99_fscanf", {state(0)}},
    {"__isoc23_fscanf", {state(0)}},
    {"fopen", {NewFile}},
    {"fopen64", {NewFile}},
    {"fdopen", {NewFile}},
    {"fmemopen", {NewFile}},
    {"popen", {NewFile}},
    {"tmpfile", {NewFile}},
    // Memory of their own.
    {"asctime", {{ReturnsOwn}}},
    {"ctime", {{ReturnsOwn}}},
    {"strerror", {{ReturnsOwn}}},
    {"inet_ntoa", {{ReturnsOwn}}},
    // New memory.
    {"malloc", {{ReturnsNew, 0, 0}}},
    {"calloc", {{ReturnsNew, 0, 0, 1}}},
    {"realloc", {{ReturnsNew, 0, 1}}},
    {"aligned_alloc", {{ReturnsNew, 0, 1}}},
    {"memalign", {{ReturnsNew, 0, 1}}},
    {"mmap", {{ReturnsNew, 0, 1}}},
    {"mmap64", {{ReturnsNew, 0, 1}}},
    {"_Znwm", {{ReturnsNew, 0, 0}}},
    {"_Znam", {{ReturnsNew, 0, 0}}},
    {"_ZnwmRKSt9nothrow_t", {{ReturnsNew, 0, 0}}},
    {"_ZnamRKSt9nothrow_t", {{ReturnsNew, 0, 0}}},
    {"_ZnwmSt11align_val_t", {{ReturnsNew, 0, 0}}},
    {"_ZnamSt11align_val_t", {{ReturnsNew, 0, 0}}},
    // Nodes of std::list.
    {"_ZNSt8__detail15_List_node_base7_M_hookEPS0_", {state(1, 2 * Pointer)}},
    {"_ZNSt8__detail15_List_node_base9_M_unhookEv", {state(0, 2 * Pointer)}},
    // Code.
    {"pthread_once", {{Once}}},
    {"dlclose", {{Leaves}}},
    {"abort", {{Leaves}}},
    {"__assert_fail", {{Leaves}}},
    {"_exit", {{Leaves}}},
    {"_Exit", {{Leaves}}},
    {"quick_exit", {{Leaves}}},
    {"execl", {{Leaves}}},
    {"execle", {{Leaves}}},
    {"execlp", {{Leaves}}},
    {"execv", {{Leaves}}},
    {"execve", {{Leaves}}},
    {"execvp", {{Leaves}}},
    {"execvpe", {{Leaves}}},
    {"fexecve", {{Leaves}}},
};

/// The number at the begin of \p Text, which is taken off it.
unsigned takeNumber(StringRef &Text) {
  unsigned Number = 0;
  if (Text.consumeInteger(10, Number))
    return 0;
  return Number;
}

/// Takes a conversion, behind its `%`, off \p Format.
std::optional<FormatPiece> takePiece(StringRef &Format) {
  FormatPiece Piece;
  Format = Format.ltrim("-+ #0'I");
  if (Format.consume_front("*"))
    ++Piece.Stars;
  takeNumber(Format);
  if (Format.consume_front(".")) {
    if (Format.consume_front("*")) {
      ++Piece.Stars;
      Piece.Limit = 0;
    } else {
      Piece.Limit = takeNumber(Format);
    }
  }
  const bool IsWide = Format.starts_with("l");
  Format = Format.ltrim("hlqjztL");
  if (Format.empty() || Format.front() == '$')
    return std::nullopt;
  Piece.IsText = Format.front() == 's' && !IsWide;
  Format = Format.drop_front();
  return Piece;
}

} // namespace

const LibraryCall *heddle::findLibraryCall(StringRef Name) {
  for (const LibraryCall &Known : LibraryCalls)
    if (Known.Name == Name)
      return &Known;
  return nullptr;
}

SmallVector<FormatPiece> heddle::piecesOf(StringRef Format) {
  SmallVector<FormatPiece> Pieces;
  while (true) {
    const size_t At = Format.find('%');
    if (At == StringRef::npos)
      return Pieces;
    Format = Format.drop_front(At + 1);
    if (Format.consume_front("%"))
      continue;
    // The text of errno takes no argument.
    StringRef Rest = Format.ltrim("-+ #'0123456789.");
    if (Rest.consume_front("m")) {
      Format = Rest;
      continue;
    }
    const std::optional<FormatPiece> Piece = takePiece(Format);
    if (!Piece)
      return {};
    Pieces.push_back(*Piece);
  }
}
