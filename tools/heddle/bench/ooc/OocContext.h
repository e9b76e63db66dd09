//===- OocContext.h - The context of `heddle bench ooc` ---------*- C++ -*-===//
//
// Graphs are made, prepared, run on and checked in processes of their own; this
// one starts no threads. Processes that prepare or are measured have a memory
// group each, and the latter start without pages of their files in the page
// cache.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_OOC_OOCCONTEXT_H
#define HEDDLE_TOOLS_BENCH_OOC_OOCCONTEXT_H

#include "OocBench.h"
#include "OocRun.h"

#include "../Progress.h"
#include "../TemporaryFiles.h"
#include "../measure/Contest.h"
#include "../measure/MemoryGroup.h"

#include "../../output/Json.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heddle::bench {

struct OocGraphSize {
  std::uint64_t vertices, edges;
  std::uint64_t source; ///< a vertex with most edges
};

/// A graph in the directory of the benchmark, whose edges lead both ways.
struct OocInput : OocGraphSize {
  std::string name;
  std::string path; ///< of the graph as a file that is read into memory
};

struct OocPreparedSize {
  std::uint64_t edges, bytes;
};

/// A graph that has been prepared.
struct OocPrepared : OocPreparedSize {
  std::string directory;
};

/// One of the ways to run a program that are compared.
struct OocRival {
  std::string name; ///< for messages
  std::string directory;
  std::uint64_t memoryBytes;
  /// Instead of runOoc(). Writes results to a file, unless its path is empty.
  std::function<OocOutcome(const std::string &valuesPath,
                           const MemoryGroup *group)>
      run = {};
};

struct OocStanding {
  Standing standing;
  OocOutcome last; ///< of its runs
  std::uint64_t peakBytes = 0;
  bool isVerified = false;
  bool isCutOff = false; ///< in some repetition
};

class OocContext {
public:
  OocContext(const OocOptions &options, Progress &progress);

  /// The graph to be measured, or the one with long paths.
  const OocInput &input(bool hasLongPaths);

  /// Returns the graph prepared for runs with `memoryBytes` of memory.
  const OocPrepared &prepared(const OocInput &input, bool hasWeights,
                              std::uint64_t memoryBytes);

  /// Runs the program on all rivals, each in its own process as described
  /// above. Throws Error if the results of a rival that is not cut off differ
  /// from those of the graph in memory.
  std::vector<OocStanding> compete(const std::vector<OocRival> &rivals,
                                   const Program &program,
                                   const OocInput &input);

  /// Returns the text for a table.
  std::string peakText(std::uint64_t peakBytes) const;

  const OocOptions &options;
  const TemporaryFiles files;
  Progress &progress;
  std::vector<JsonObject> rows;

private:
  /// One run. `what` is for messages.
  void run(const OocRival &rival, const Program &program, const OocInput &input,
           const std::string &what, OocStanding &result);

  const std::optional<MemoryController> controller;
  std::map<bool, OocInput> inputs;
  std::map<std::string, OocPrepared> graphs;
};

} // namespace heddle::bench

#endif
