//===- Algorithms.cpp - The four algorithms out of core ------------------===//

#include "OocContext.h"

#include "../Report.h"

#include <cstdio>
#include <fmt/format.h>

namespace heddle::bench {

namespace {

struct Algorithm {
  const char *name;
  bool hasWeights;
  /// Bits on disk for each vertex of the program: numbers, and whether it is
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

/// Reports `result`, the result of the runs with this limit of memory.
void report(OocContext &context, const OocInput &input,
            const Algorithm &algorithm, std::uint64_t memoryBytes,
            const OocPrepared &graph, const OocStanding &result) {
  const OocOutcome &last = result.last;
  const double seconds = result.standing.seconds;
  const std::uint64_t vertexBytes = input.vertices * algorithm.vertexBits / 8;
  const double bytesPerEdge =
      static_cast<double>(graph.bytes) / static_cast<double>(graph.edges);
  const char *beyond = vertexBytes > memoryBytes   ? "vertices"
                       : graph.bytes > memoryBytes ? "edges"
                                                   : "nothing";
  fmt::print("{:<11} {:>7} {:>9} {:>9.0f} {:>9.0f} {:>9.2f} {:>9.3f} {:>17} "
             "{:>17} {:>9}\n",
             algorithm.name, formatBytes(memoryBytes), beyond,
             inMebibytes(vertexBytes), inMebibytes(graph.bytes), bytesPerEdge,
             seconds, besidePrediction(last.bytesRead, last.predictedRead),
             besidePrediction(last.bytesWritten, last.predictedWritten),
             context.peakText(result.peakBytes));
  std::fflush(stdout);
  context.rows.push_back(
      JsonObject()
          .add("figure", "algorithms")
          .add("graph", input.name)
          .add("vertices", input.vertices)
          .add("edges", input.edges)
          .add("algorithm", algorithm.name)
          .add("memory_bytes", memoryBytes)
          .add("beyond_memory", beyond)
          .add("vertex_bytes", vertexBytes)
          .add("graph_bytes", graph.bytes)
          .add("bytes_per_edge", bytesPerEdge)
          .add("pair_bytes_per_edge", algorithm.hasWeights ? 12 : 8)
          .add("seconds", seconds)
          .add("bytes_read", last.bytesRead)
          .add("predicted_bytes_read", last.predictedRead)
          .add("bytes_written", last.bytesWritten)
          .add("predicted_bytes_written", last.predictedWritten)
          .add("peak_bytes", result.peakBytes)
          .add("equals_in_memory", result.isVerified));
}

void measure(OocContext &context, const OocInput &input,
             const Algorithm &algorithm) {
  Program program;
  program.algorithm = algorithm.name;
  program.source = input.source;
  program.pageRank.iterations = 5;
  program.pageRank.tolerance = 0;
  std::vector<const OocPrepared *> graphs;
  std::vector<OocRival> rivals;
  for (const std::uint64_t memoryBytes : context.options.memoryBytes) {
    const OocPrepared &graph =
        context.prepared(input, algorithm.hasWeights, memoryBytes);
    graphs.push_back(&graph);
    rivals.push_back(
        {fmt::format("{}, {}", algorithm.name, formatBytes(memoryBytes)),
         graph.directory, memoryBytes});
  }
  const std::vector<OocStanding> results =
      context.compete(rivals, program, input);
  for (std::size_t i = 0; i < rivals.size(); ++i)
    report(context, input, algorithm, rivals[i].memoryBytes, *graphs[i],
           results[i]);
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
