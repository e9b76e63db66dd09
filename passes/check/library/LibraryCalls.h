//===- LibraryCalls.h - What functions of the C library access --*- C++ -*-===//
//
// They do not record what they do, so that their callers do it for them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_CHECK_LIBRARY_LIBRARYCALLS_H
#define HEDDLE_PASSES_CHECK_LIBRARY_LIBRARYCALLS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace heddle {

/// Bytes of a range are Bytes or argument Times, times argument Count.
enum class CallEffect {
  None,
  ReadBytes,    ///< A range that begins at argument At.
  WriteBytes,   ///< The same.
  WriteResult,  ///< To argument At, as many bytes or elements as are returned.
  ReadString,   ///< Of argument At, to its end.
  ReadPrefix,   ///< The same, but at most as many bytes as argument Count says.
  ReadNumber,   ///< A number at the begin of argument At.
  ReadTexts,    ///< The strings that a format, argument At, takes.
  WriteString,  ///< To argument At, after the call.
  ReturnsNew,   ///< A range.
  ReturnsText,  ///< A new string.
  ReturnsOwn,   ///< A string in the function's own memory.
  Changes,      ///< The first Bytes of argument At.
  ChangesState, ///< What the function itself keeps from call to call.
  Once,         ///< Calls a function once in the program.
  Leaves        ///< Ends the program at once, or takes code out of it.
};

/// The argument that there is none of.
inline constexpr unsigned Nothing = ~0u;

struct KnownEffect {
  CallEffect Kind = CallEffect::None;
  unsigned At = 0;
  unsigned Count = Nothing;
  unsigned Times = Nothing;
  unsigned Bytes = 1;
  unsigned Begins = Nothing; ///< Unless it is null, what changes begins anew.
};

struct LibraryCall {
  llvm::StringLiteral Name;
  KnownEffect Effects[3];
};

/// What is known of the function \p Name; nullptr if that is nothing.
const LibraryCall *findLibraryCall(llvm::StringRef Name);

/// What one conversion of a format takes.
struct FormatPiece {
  bool IsText = false;           ///< A string of `char`.
  unsigned Stars = 0;            ///< Arguments in front of it.
  std::optional<unsigned> Limit; ///< Of its bytes; 0: an argument says it.
};

/// The conversions of a format of printf() that take an argument. Formats whose
/// arguments are numbered have none.
llvm::SmallVector<FormatPiece> piecesOf(llvm::StringRef Format);

} // namespace heddle

#endif
