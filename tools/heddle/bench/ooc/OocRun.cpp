//===- OocRun.cpp - A program on a prepared graph, measured --------------===//

#include "OocRun.h"

#include "../../command/SecondsOf.h"
#include "../../output/ResultFile.h"

#include <fmt/format.h>

namespace heddle::bench {

OocOutcome timeInGroup(const MemoryGroup *group,
                       const std::function<void()> &work) {
  OocOutcome outcome;
  outcome.seconds = secondsOf(work);
  outcome.peakBytes = group ? group->peakBytes() : 0;
  return outcome;
}

OocOutcome runOoc(const Program &program, const std::string &directory,
                  std::uint64_t memoryBytes, const std::string &valuesPath,
                  const MemoryGroup *group) {
  const std::unique_ptr<ProgramRun> run =
      makeRun(program, directory, {.memoryBytes = memoryBytes});
  Facts facts;
  OocOutcome outcome = timeInGroup(group, [&] { run->run(facts); });
  const graph::ooc::EngineCounts counts = run->counts();
  outcome.bytesRead = counts.bytes.read;
  outcome.bytesWritten = counts.bytes.written;
  outcome.predictedRead = counts.predicted.read;
  outcome.predictedWritten = counts.predicted.written;
  outcome.steps = counts.calls;
  if (!valuesPath.empty()) {
    ResultFile values(valuesPath);
    run->forEachValue([&](std::uint64_t, const std::string &value) {
      values.write(value + "\n");
    });
    values.commit();
  }
  return outcome;
}

} // namespace heddle::bench
