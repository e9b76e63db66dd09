//===- Algorithms.cpp - The four algorithms out of core ------------------===//

#include "OocContext.h"

#include "../Report.h"
#include "../measure/Contest.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>

namespace heddle::bench {

namespace {

struct Algorithm {
  const char *name;
  bool hasWeights;
  /// Of what the program keeps for a vertex on disk: numbers, and whether it is
  /// active.
  std::uint64_t vertexBits;
};
constexpr Algorithm AllAlgorithms[] = {{"pagerank", false, 96},
                                       {"bfs", false, 33},
                                       {"components", false, 33},
                                       {"sssp", true, 65}};

double inMebibytes(std::uint64_t bytes) {
  return static_cast<double>(bytes) / (1 << 20);
}

std::string besidePrediction(std::uint64_t measured, std::uint64_t predicted) {
  return fmt::format("{:.0f} ({:.0f})", inMebibytes(measured),
                     inMebibytes(predicted));
}

/// One limit to the memory, and what runs within it have come to.
struct Entry {
  std::uint64_t memoryBytes;
  const OocPrepared &graph;
  OocOutcome last = {};
  std::uint64_t peakBytes = 0;
  bool isVerified = false;
};

void report(OocContext &context, const OocInput &input,
            const Algorithm &algorithm, const Entry &entry, double seconds) {
  const std::uint64_t vertexBytes = input.vertices * algorithm.vertexBits / 8;
  const double bytesPerEdge = static_cast<double>(entry.graph.bytes) /
                              static_cast<double>(entry.graph.edges);
  const char *beyond = vertexBytes > entry.memoryBytes         ? "vertices"
                       : entry.graph.bytes > entry.memoryBytes ? "edges"
                                                               : "nothing";
  OocOutcome most = entry.last;
  most.peakBytes = entry.peakBytes;
  fmt::print(
      "{:<11} {:>7} {:>9} {:>9.0f} {:>9.0f} {:>9.2f} {:>9.3f} {:>17} "
      "{:>17} {:>9}\n",
      algorithm.name, formatBytes(entry.memoryBytes), beyond,
      inMebibytes(vertexBytes), inMebibytes(entry.graph.bytes), bytesPerEdge,
      seconds, besidePrediction(entry.last.bytesRead, entry.last.predictedRead),
      besidePrediction(entry.last.bytesWritten, entry.last.predictedWritten),
      context.peakText(most));
  std::fflush(stdout);
  context.rows.push_back(
      JsonObject()
          .add("figure", "algorithms")
          .add("graph", input.name)
          .add("vertices", input.vertices)
          .add("edges", input.edges)
          .add("algorithm", algorithm.name)
          .add("memory_bytes", entry.memoryBytes)
          .add("beyond_memory", beyond)
          .add("vertex_bytes", vertexBytes)
          .add("graph_bytes", entry.graph.bytes)
          .add("bytes_per_edge", bytesPerEdge)
          .add("pair_bytes_per_edge", algorithm.hasWeights ? 12 : 8)
          .add("seconds", seconds)
          .add("bytes_read", entry.last.bytesRead)
          .add("predicted_bytes_read", entry.last.predictedRead)
          .add("bytes_written", entry.last.bytesWritten)
          .add("predicted_bytes_written", entry.last.predictedWritten)
          .add("peak_bytes", entry.peakBytes)
          .add("equals_in_memory", entry.isVerified));
}

void measure(OocContext &context, const OocInput &input,
             const Algorithm &algorithm) {
  Program program;
  program.algorithm = algorithm.name;
  program.source = input.source;
  program.pageRank.iterations = 5;
  program.pageRank.tolerance = 0;
  std::vector<Entry> entries;
  for (const std::uint64_t memoryBytes : context.options.memoryBytes)
    entries.push_back(
        {memoryBytes,
         context.prepared(input, algorithm.hasWeights, memoryBytes)});
  std::string repetition;
  std::vector<Rival> rivals;
  for (Entry &entry : entries)
    rivals.push_back([&] {
      const std::string what =
          fmt::format("{}, {}, {}", algorithm.name,
                      formatBytes(entry.memoryBytes), repetition);
      const bool verifies = !entry.isVerified;
      entry.last = context.run(
          what, entry.graph.directory, entry.memoryBytes,
          [&](const MemoryGroup *group) {
            return runOoc(program, entry.graph.directory, entry.memoryBytes,
                          verifies ? context.valuesPath() : std::string(),
                          group);
          });
      entry.peakBytes = std::max(entry.peakBytes, entry.last.peakBytes);
      if (verifies)
        context.verify(what, program, input);
      entry.isVerified = true;
      return entry.last.seconds;
    });
  const std::vector<Standing> standings =
      compete(rivals, context.options.repetitions,
              [&](const std::string &text) { repetition = text; });
  context.progress.clear();
  for (std::size_t i = 0; i < entries.size(); ++i)
    report(context, input, algorithm, entries[i], standings[i].seconds);
}

} // namespace

void measureAlgorithms(OocContext &context) {
  const OocInput &input = context.input(false);
  context.progress.clear();
  fmt::print("Out of core: {}, {} vertices, {} edges; results equal those in "
             "memory\n",
             input.name, input.vertices, input.edges);
  fmt::print("{:<11} {:>7} {:>9} {:>9} {:>9} {:>9} {:>9} {:>17} {:>17} {:>9}\n",
             "", "memory", "beyond it", "vertices", "edges", "bytes an", "",
             "read, MiB", "written, MiB", "peak");
  fmt::print("{:<11} {:>7} {:>9} {:>9} {:>9} {:>9} {:>9} {:>17} {:>17} {:>9}\n",
             "algorithm", "", "", "MiB", "MiB", "edge", "seconds",
             "(predicted)", "(predicted)", "MiB");
  for (const Algorithm &algorithm : AllAlgorithms)
    measure(context, input, algorithm);
}

} // namespace heddle::bench
