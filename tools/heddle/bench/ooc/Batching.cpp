//===- Batching.cpp - PageRank with batches and without ------------------===//

#include "OocContext.h"
#include "Unbatched.h"

#include "../Report.h"
#include "../measure/Contest.h"
#include "../measure/Isolate.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>

namespace heddle::bench {

namespace {

/// With so much memory, with batches or without.
struct Entry {
  std::uint64_t memoryBytes;
  bool hasBatches;
  std::string directory;
  OocOutcome last = {};
  std::uint64_t peakBytes = 0;
  bool isVerified = false;
  bool isCutOff = false; ///< in some repetition
};

std::vector<Entry> entriesOf(OocContext &context, const OocInput &input) {
  context.progress.show("preparing the graph without batches");
  const std::string unbatched = context.files.path("unbatched");
  runInChild([&] {
    prepareUnbatched(input.path, unbatched);
    return std::string();
  });
  std::vector<Entry> entries;
  for (const std::uint64_t memoryBytes : context.options.memoryBytes) {
    entries.push_back({memoryBytes, true,
                       context.prepared(input, false, memoryBytes).directory});
    entries.push_back({memoryBytes, false, unbatched});
  }
  return entries;
}

void report(OocContext &context, const OocInput &input, const Entry &entry,
            const Standing &standing, double ratio) {
  const char *version = entry.hasBatches ? "batches" : "without";
  OocOutcome most = entry.last;
  most.peakBytes = entry.peakBytes;
  // What is cut off would have taken longer.
  const char *atLeast = entry.isCutOff ? ">" : "";
  fmt::print("{:>7} {:<8} {:>10} {:>9} {:>12} {:>9} {:>14}\n",
             formatBytes(entry.memoryBytes), version,
             fmt::format("{}{:.3f}", atLeast, standing.seconds),
             entry.last.bytesRead >> 20, entry.last.bytesWritten >> 20,
             context.peakText(most), fmt::format("{}{:.2f}x", atLeast, ratio));
  context.rows.push_back(JsonObject()
                             .add("figure", "batching")
                             .add("graph", input.name)
                             .add("memory_bytes", entry.memoryBytes)
                             .add("version", version)
                             .add("seconds", standing.seconds)
                             .add("cut_off", entry.isCutOff)
                             .add("bytes_read", entry.last.bytesRead)
                             .add("bytes_written", entry.last.bytesWritten)
                             .add("peak_bytes", entry.peakBytes)
                             .add("batches_speed", ratio));
}

} // namespace

void measureBatching(OocContext &context) {
  const OocInput &input = context.input(false);
  Program program;
  program.algorithm = "pagerank";
  program.pageRank.iterations = 1;
  program.pageRank.tolerance = 0;
  std::vector<Entry> entries = entriesOf(context, input);
  std::string repetition;
  std::vector<Rival> rivals;
  for (Entry &entry : entries)
    rivals.push_back([&] {
      const std::string what = fmt::format(
          "{}, {}, {}", entry.hasBatches ? "batches" : "without batches",
          formatBytes(entry.memoryBytes), repetition);
      const std::string values =
          entry.isVerified ? std::string() : context.valuesPath();
      entry.last = context.run(
          what, entry.directory, entry.memoryBytes,
          [&](const MemoryGroup *group) {
            return entry.hasBatches
                       ? runOoc(program, entry.directory, entry.memoryBytes,
                                values, group)
                       : runUnbatched(program, entry.directory,
                                      context.options.patienceSeconds, values,
                                      group);
          });
      entry.peakBytes = std::max(entry.peakBytes, entry.last.peakBytes);
      entry.isCutOff |= entry.last.isCutOff;
      if (!entry.isVerified && !entry.last.isCutOff) {
        context.verify(what, program, input);
        entry.isVerified = true;
      }
      return entry.last.seconds;
    });
  const std::vector<Standing> standings =
      compete(rivals, context.options.repetitions,
              [&](const std::string &text) { repetition = text; });
  context.progress.clear();
  fmt::print("Batching (DFOGraph's table 6): an iteration of PageRank, {}\n",
             input.name);
  fmt::print("{:>7} {:<8} {:>10} {:>9} {:>12} {:>9} {:>14}\n", "memory", "",
             "seconds", "read, MiB", "written, MiB", "peak, MiB", "batches is");
  for (std::size_t i = 0; i < entries.size(); ++i)
    report(context, input, entries[i], standings[i],
           standings[i - i % 2].speed / standings[i].speed);
  std::fflush(stdout);
}

} // namespace heddle::bench
