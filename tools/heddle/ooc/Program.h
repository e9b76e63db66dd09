//===- Program.h - The programs of `heddle ooc run` -------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_OOC_PROGRAM_H
#define HEDDLE_TOOLS_OOC_PROGRAM_H

#include "../output/Facts.h"

#include "heddle/graph/algorithms/PageRank.h"
#include "heddle/graph/ooc/EngineOptions.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// An algorithm and its parameters.
struct Program {
  std::string algorithm;
  std::optional<std::uint64_t> source;
  graph::PageRankOptions pageRank = {};

  /// Converts it to text, from which parse() restores it in a resumed run.
  std::string text() const;
  static Program parse(const std::string &text);
};

/// Called with each vertex in order and its result as text.
using ValueVisitor =
    std::function<void(std::uint64_t vertex, const std::string &value)>;

/// A program on a prepared graph that suits it.
class ProgramRun {
public:
  virtual ~ProgramRun() = default;

  /// Throws graph::Error if the memory is too small for the other functions.
  virtual void rehearse(bool withValues) = 0;
  /// Runs the program, and adds its results.
  virtual void run(Facts &facts) = 0;
  virtual void forEachValue(const ValueVisitor &visit) = 0;
  virtual graph::ooc::EngineCounts counts() const = 0;
};

struct ProgramKind {
  const char *name;
  const char *description;
  /// Adds options of its own.
  void (*addOptions)(CLI::App &command, Program &program);
};
std::vector<ProgramKind> programKinds();

/// Throws graph::Error if the graph does not suit the program.
std::unique_ptr<ProgramRun> makeRun(const Program &program,
                                    const std::string &directory,
                                    const graph::ooc::EngineOptions &options);

} // namespace heddle

#endif
