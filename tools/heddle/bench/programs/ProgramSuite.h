//===- ProgramSuite.h - Small everyday programs ----------------*- C++ -*-===//
//
// `heddle bench programs`: programs as others write them, plain, with one
// directive a loop, and interleaved by hand.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_PROGRAMS_PROGRAMSUITE_H
#define HEDDLE_TOOLS_BENCH_PROGRAMS_PROGRAMSUITE_H

#include <string>
#include <vector>

namespace heddle::bench {

struct Program;

/// A program in both compilations.
struct ProgramPair {
  const char *name;
  const char *description; ///< for the help text
  Program (*plain)();
  Program (*directive)();
};

std::vector<ProgramPair> allPrograms();

struct ProgramOptions {
  std::vector<std::string> only; ///< empty for all
  double scale = 1;
  int repetitions = 5;
  bool quick = false;
  std::string jsonPath; ///< empty for no file
};

/// Measures, prints the table and writes the JSON file. Throws Error or
/// Interrupted.
void runPrograms(const ProgramOptions &options);

} // namespace heddle::bench

#endif
