//===- records.h - The compiler's records of each loop ----------*- C++ -*-===//
//
// Reads the optimisation record that the compiler wrote beside the annotated
// build, and asks the runtime which version of each loop it has chosen.
//
//===----------------------------------------------------------------------===//

#ifndef GRAPH_DRIVER_RECORDS_H
#define GRAPH_DRIVER_RECORDS_H

#include <string>
#include <string_view>
#include <vector>

/// One remark of the pass "heddle".
struct Remark {
  std::string kind; // Passed, Missed or Analysis
  std::string file; // without its folder
  unsigned line = 0;
  std::string message;
};

/// The remarks in an optimisation record (YAML, as LLVM writes it).
std::vector<Remark> parseRecord(std::string_view yaml);

/// The record of the annotated build; part of the program.
std::string_view builtInRecord();

/// One transformed loop as the runtime sees it.
struct LoopChoice {
  std::string file;
  unsigned line = 0;
  std::string schedule;
  unsigned tasks = 0; // in flight
  bool settled = false;
};

/// The choices for all transformed loops that have run so far.
std::vector<LoopChoice> currentChoices();

#endif
