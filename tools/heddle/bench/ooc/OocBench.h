//===- OocBench.h - Graphs larger than memory, measured --------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_BENCH_OOC_OOCBENCH_H
#define HEDDLE_TOOLS_BENCH_OOC_OOCBENCH_H

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::bench {

struct OocOptions {
  std::string directory;            ///< on the disk that is measured
  std::vector<std::string> figures; ///< empty for all
  std::string graph;                ///< a file; empty for a generated graph
  std::string longGraph;            ///< the same for searches of many steps
  unsigned scale = 25, degree = 8, longScale = 22;
  /// Limits, the least first.
  std::vector<std::uint64_t> memoryBytes = {std::uint64_t(128) << 20,
                                            std::uint64_t(2) << 30};
  int threads = 0;
  /// After which a run without batches is cut off: it may take days.
  double patienceSeconds = 600;
  int repetitions = 3;
  bool quick = false;   ///< small where nothing else is asked for
  std::string jsonPath; ///< empty for no file
};

class OocContext;

struct OocFigure {
  const char *name;
  const char *description;
  /// Measures, prints a table and adds rows. Throws Error or Interrupted.
  void (*measure)(OocContext &context);
};
const std::vector<OocFigure> &oocFigures();

void measureBatching(OocContext &context);
void measureLongPaths(OocContext &context);
void measureAlgorithms(OocContext &context);

/// Measures and writes the JSON file. Throws Error, graph::Error or
/// Interrupted.
void runOocBench(const OocOptions &options);

} // namespace heddle::bench

#endif
