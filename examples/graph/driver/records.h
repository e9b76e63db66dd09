//===- records.h - The compiler's records of each loop ----------*- C++ -*-===//

#ifndef GRAPH_DRIVER_RECORDS_H
#define GRAPH_DRIVER_RECORDS_H

#include <string>
#include <string_view>
#include <vector>

/// One remark of the pass "heddle".
struct Remark {
  std::string kind; // Passed, Missed or Analysis
  std::string pass;
  std::string file; // without its folder
  unsigned line = 0;
  std::string message;
};

/// The remarks in an optimisation record (YAML, as LLVM writes it).
std::vector<Remark> parseRecord(std::string_view yaml);

/// The record of the annotated build; part of the program.
std::string_view builtInRecord();

#endif
