//===- Advice.h - What is said of a loop that could be marked ---*- C++ -*-===//
//
// The findings of a trial compilation, as plain data: they outlive the IR that
// they are about.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ADVISE_ADVICE_H
#define HEDDLE_PASSES_ADVISE_ADVICE_H

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// A place in the source. Columns count from 1; 0 if it is not known.
struct SourcePlace {
  /// As debug information has it: relative to Directory, unless it is absolute.
  std::string File, Directory;
  unsigned Line = 0, Column = 0;

  auto operator<=>(const SourcePlace &) const = default;
};

/// An access that waits for memory.
struct WaitingAccess {
  SourcePlace Place;
  bool Hidden = false;
  /// How often it is executed; see LoopAdvice::Weight.
  double Weight = 0;
};

/// Why a loop would be left alone, or an access not be waited for.
struct AdvisedObstacle {
  /// The name of the record of Refusals.def.
  std::string Kind;
  std::string Reason;
  /// Of the code at fault, if that is known.
  SourcePlace Place;
  std::string Next;

  bool operator==(const AdvisedObstacle &) const = default;
};

/// One loop of the source, in all its copies.
struct LoopAdvice {
  SourcePlace Loop;
  /// The name of its function, and that of its symbol.
  std::string Function, Symbol;
  std::vector<WaitingAccess> Accesses;
  /// What stands in the way of all of the loop.
  std::optional<AdvisedObstacle> Refused;
  /// What stands in the way of some of its accesses.
  std::vector<AdvisedObstacle> Dropped;
  /// Memory that iterations write to and that may be the same for several.
  std::vector<SourcePlace> SharedWrites;
  /// Functions that iterations call and whose effects are not seen.
  std::vector<std::string> Calls;
  /// How often its iterations wait: by the profile, or estimated for one call
  /// of its function.
  double Weight = 0;
  bool HasProfile = false;

  /// What the loop is worth in a list: one that would be left alone counts
  /// half.
  double promise() const { return Refused ? Weight / 2 : Weight; }
};

/// Unites the copies of each loop, and sorts the loops: most promising first.
std::vector<LoopAdvice> rank(std::vector<LoopAdvice> Found);

} // namespace heddle

#endif
