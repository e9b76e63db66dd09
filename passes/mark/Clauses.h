//===- Clauses.h - The clauses of the directives, as a table ----*- C++ -*-===//

#ifndef HEDDLE_PASSES_MARK_CLAUSES_H
#define HEDDLE_PASSES_MARK_CLAUSES_H

#include "mark/MarkProtocol.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <climits>
#include <string>

namespace heddle {

enum DirectiveKind : unsigned {
  AsyncDirective = 1,
  PullDirective = 2,
  VectorSparseDirective = 4,
};

/// Clauses.def describes them.
enum class ClauseArgument {
  Count,
  CountOrAuto,
  Schedule,
  Condition,
  Size,
  Variables,
  Arrays,
};

struct ClauseRecord {
  ClauseKind Kind;
  /// Kind, or the kind that marks of Fortran and MLIR have in its place.
  ClauseKind DataKind;
  const char *Name;
  ClauseArgument Argument;
  /// The directives that take the clause.
  unsigned Directives;
  /// The largest count.
  unsigned Maximum = 0;

  constexpr bool namesVariables() const {
    return Argument == ClauseArgument::Variables ||
           Argument == ClauseArgument::Arrays;
  }
};

inline constexpr ClauseRecord ClauseRecords[] = {
#define HEDDLE_CLAUSE(Kind, Number, Name, Argument, Directives)                \
  {Kind, Kind, Name, ClauseArgument::Argument, Directives},
#define HEDDLE_COUNT_CLAUSE(Kind, Number, Name, Directives, Maximum)           \
  {Kind, Kind, Name, ClauseArgument::Count, Directives, Maximum},
#define HEDDLE_COUNT_OR_AUTO_CLAUSE(Kind, Number, Name, Directives, Maximum)   \
  {Kind, Kind, Name, ClauseArgument::CountOrAuto, Directives, Maximum},
#define HEDDLE_ARRAYS_CLAUSE(Kind, Number, Name, Directives, Operands,         \
                             DataNumber)                                       \
  {Kind, Kind##Data, Name, ClauseArgument::Arrays, Directives},
#include "mark/Clauses.def"
};

const ClauseRecord &recordOf(ClauseKind Kind);

/// Whether a variable can be named in one of the two only.
inline bool excludeEachOther(const ClauseRecord &A, const ClauseRecord &B) {
  return A.Kind != B.Kind && A.Argument == B.Argument && A.namesVariables();
}

struct SchedulerRecord {
  SchedulerKind Kind;
  const char *Name;
  /// Whether it is the name that messages use.
  bool IsMain;
};

inline constexpr SchedulerRecord SchedulerRecords[] = {
#define HEDDLE_SCHEDULE(Kind, Number, Name) {Scheduler##Kind, Name, true},
#define HEDDLE_SCHEDULE_ALIAS(Kind, Name) {Scheduler##Kind, Name, false},
#include "mark/Schedules.def"
};

/// The schedules' names, each between \p Prefix and \p Suffix, in a sentence:
/// with \p Conjunction before the last.
std::string listSchedulers(llvm::StringRef Prefix, llvm::StringRef Suffix,
                           llvm::StringRef Conjunction);

/// `a, b <Conjunction> c`.
std::string listWords(llvm::ArrayRef<std::string> Words,
                      llvm::StringRef Conjunction);

} // namespace heddle

#endif
