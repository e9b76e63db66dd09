//===- LoopList.h - The loops that the compiler advises --------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_ADVISE_LOOPLIST_H
#define HEDDLE_TOOLS_ADVISE_LOOPLIST_H

#include <string>
#include <string_view>
#include <vector>

namespace heddle::advise {

/// What stands in the way of a loop, and what can be done about it.
struct Obstacle {
  std::string reason, next;
};

/// A loop as passes/advise/Report.cpp writes it.
struct Loop {
  std::string file; ///< absolute
  unsigned line = 0, column = 0;
  std::string function;
  /// The place is that of OpenMP's directive.
  bool isBehindDirective = false;
  std::string waits;
  unsigned accesses = 0, hidden = 0;
  std::string promise, directive;
  double weight = 0;
  bool hasProfile = false;
  /// Of the whole loop: there is one or none.
  std::vector<Obstacle> refused;
  /// Of single accesses.
  std::vector<Obstacle> dropped;

  double worth() const { return refused.empty() ? weight : weight / 2; }
};

/// Reads the compiler's list of a file's loops.
std::vector<Loop> parseLoops(std::string_view text);

/// Unites the loops that several files have, and sorts them: most promising
/// first.
std::vector<Loop> rank(std::vector<Loop> loops);

/// Prints the loops as a table. Paths are relative to the working directory
/// where they are in it.
void printTable(const std::vector<Loop> &loops);

/// The path as it is shown.
std::string shownPath(const std::string &path);

} // namespace heddle::advise

#endif
