//===- OocContext.h - What figures of `heddle bench ooc` share -*- C++ -*-===//
//
// Graphs are made, prepared, run on and checked in processes of their own; this
// one starts no threads. Those that prepare or are measured have a memory group
// each, and the latter find nothing of their files in the page cache.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_OOC_OOCCONTEXT_H
#define HEDDLE_TOOLS_BENCH_OOC_OOCCONTEXT_H

#include "OocBench.h"
#include "OocRun.h"

#include "../Progress.h"
#include "../TemporaryFiles.h"
#include "../measure/MemoryGroup.h"

#include "../../output/Json.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heddle::bench {

/// A graph in the directory of the benchmark, whose edges lead both ways.
struct OocInput {
  std::string name;
  std::string path; ///< of the graph as a file that is read into memory
  std::uint64_t vertices, edges;
  std::uint64_t source; ///< a vertex with most edges
};

/// A graph that has been prepared.
struct OocPrepared {
  std::string directory;
  std::uint64_t edges, bytes;
};

class OocContext {
public:
  OocContext(const OocOptions &options, Progress &progress);

  /// The graph to be measured, or the one with long paths.
  const OocInput &input(bool hasLongPaths);

  /// The same prepared for runs with so much memory.
  const OocPrepared &prepared(const OocInput &input, bool hasWeights,
                              std::uint64_t memoryBytes);

  /// Runs `work` as is said above. `what` is for messages.
  OocOutcome
  run(const std::string &what, const std::string &directory,
      std::uint64_t memoryBytes,
      const std::function<OocOutcome(const MemoryGroup *group)> &work);

  /// A file for results.
  std::string valuesPath() const { return files.path("values"); }

  /// Throws Error if what has been written there is not what the graph in
  /// memory gives.
  void verify(const std::string &what, const Program &program,
              const OocInput &input);

  /// As a table shows it.
  std::string peakText(const OocOutcome &outcome) const;

  const OocOptions &options;
  const TemporaryFiles files;
  Progress &progress;
  std::vector<JsonObject> rows;

private:
  template <typename Work>
  auto runWithin(const std::string &what, std::uint64_t memoryBytes,
                 const Work &work);

  const std::optional<MemoryController> controller;
  std::map<bool, OocInput> inputs;
  std::map<std::string, OocPrepared> graphs;
};

} // namespace heddle::bench

#endif
