//===- Batching.cpp - PageRank with batches and without ------------------===//

#include "OocContext.h"
#include "Unbatched.h"

#include "../Report.h"
#include "../measure/Isolate.h"

#include <cstdio>
#include <fmt/format.h>

namespace heddle::bench {

namespace {

std::string prepareWithoutBatches(OocContext &context, const OocInput &input) {
  context.progress.show("preparing the graph without batches");
  const std::string directory = context.files.path("unbatched");
  runInChild([&] {
    prepareUnbatched(input.path, directory);
    return std::string();
  });
  return directory;
}

/// Returns rivals for each memory limit, first with batches and then without.
std::vector<OocRival> rivalsOf(OocContext &context, const OocInput &input,
                               const Program &program) {
  const std::string unbatched = prepareWithoutBatches(context, input);
  std::vector<OocRival> rivals;
  for (const std::uint64_t memoryBytes : context.options.memoryBytes) {
    rivals.push_back({"batches, " + formatBytes(memoryBytes),
                      context.prepared(input, false, memoryBytes).directory,
                      memoryBytes});
    rivals.push_back(
        {"without batches, " + formatBytes(memoryBytes), unbatched, memoryBytes,
         [=, &program, &context](const std::string &values,
                                 const MemoryGroup *group) {
           return runUnbatched(program, unbatched,
                               context.options.patienceSeconds, values, group);
         }});
  }
  return rivals;
}

void report(OocContext &context, const OocInput &input, const char *version,
            std::uint64_t memoryBytes, const OocStanding &result,
            double ratio) {
  // A run that is cut off would have taken longer.
  const char *atLeast = result.isCutOff ? ">" : "";
  fmt::print("{:>7} {:<8} {:>10} {:>9} {:>12} {:>9} {:>14}\n",
             formatBytes(memoryBytes), version,
             fmt::format("{}{:.3f}", atLeast, result.standing.seconds),
             result.last.bytesRead >> 20, result.last.bytesWritten >> 20,
             context.peakText(result.peakBytes),
             fmt::format("{}{:.2f}x", atLeast, ratio));
  context.rows.push_back(JsonObject()
                             .add("figure", "batching")
                             .add("graph", input.name)
                             .add("memory_bytes", memoryBytes)
                             .add("version", version)
                             .add("seconds", result.standing.seconds)
                             .add("cut_off", result.isCutOff)
                             .add("bytes_read", result.last.bytesRead)
                             .add("bytes_written", result.last.bytesWritten)
                             .add("peak_bytes", result.peakBytes)
                             .add("batches_speed", ratio));
}

} // namespace

void measureBatching(OocContext &context) {
  const OocInput &input = context.input(false);
  Program program;
  program.algorithm = "pagerank";
  program.pageRank.iterations = 1;
  program.pageRank.tolerance = 0;
  const std::vector<OocRival> rivals = rivalsOf(context, input, program);
  const std::vector<OocStanding> results =
      context.compete(rivals, program, input);
  fmt::print("Batching (DFOGraph's table 6): an iteration of PageRank, {}\n",
             input.name);
  fmt::print("{:>7} {:<8} {:>10} {:>9} {:>12} {:>9} {:>14}\n", "memory", "",
             "seconds", "read, MiB", "written, MiB", "peak, MiB", "batches is");
  for (std::size_t i = 0; i < rivals.size(); ++i)
    report(context, input, i % 2 == 0 ? "batches" : "without",
           rivals[i].memoryBytes, results[i],
           results[i - i % 2].standing.speed / results[i].standing.speed);
  std::fflush(stdout);
}

} // namespace heddle::bench
