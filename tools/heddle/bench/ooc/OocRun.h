//===- OocRun.h - A program on a prepared graph, measured ------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_BENCH_OOC_OOCRUN_H
#define HEDDLE_TOOLS_BENCH_OOC_OOCRUN_H

#include "../measure/MemoryGroup.h"

#include "../../ooc/Program.h"

#include <cstdint>
#include <functional>
#include <string>

namespace heddle::bench {

struct OocOutcome {
  double seconds = 0;
  std::uint64_t bytesRead = 0, bytesWritten = 0;
  std::uint64_t predictedRead = 0, predictedWritten = 0;
  std::uint64_t steps = 0;
  std::uint64_t peakBytes = 0; ///< until the end of the timed part
  bool isCutOff = false;       ///< it would have taken longer
};

/// Takes the time of `work`, and the most memory until it has ended.
OocOutcome timeInGroup(const MemoryGroup *group,
                       const std::function<void()> &work);

/// Runs the program as `heddle ooc run` does, without checkpoints, and writes
/// the results to `valuesPath` unless that is empty.
OocOutcome runOoc(const Program &program, const std::string &directory,
                  std::uint64_t memoryBytes, const std::string &valuesPath,
                  const MemoryGroup *group);

/// Throws Error if the results in the file differ from those of the graph in
/// memory: the same components and distances, a tree of shortest paths, and
/// ranks that differ by rounding alone are required.
void verifyOoc(const Program &program, const std::string &graphPath,
               const std::string &valuesPath);

} // namespace heddle::bench

#endif
