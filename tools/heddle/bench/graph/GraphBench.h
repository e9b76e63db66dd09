//===- GraphBench.h - Grazelle's experiments -------------------*- C++ -*-===//
//
// `heddle bench graph` repeats figures 5, 6, 9 and 10 of "Making Pull-Based
// Graph Processing Performant" (PPoPP 2018) as ratios on this machine: on
// generated graphs and on files.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_GRAPH_GRAPHBENCH_H
#define HEDDLE_TOOLS_BENCH_GRAPH_GRAPHBENCH_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace heddle::bench {

struct GraphBenchOptions {
  std::vector<std::string> figures;   ///< empty for all
  std::vector<std::string> kinds;     ///< of generated graphs
  std::vector<unsigned> scales;       ///< empty for each figure's usual ones
  std::vector<std::uint64_t> degrees; ///< the same
  std::vector<std::string> files;
  std::vector<int> threads;
  std::vector<std::int64_t> chunks = {100, 1000, 10000, 100000, 1000000};
  int repetitions = 9;
  std::string jsonPath; ///< empty for no file
};

/// Names and descriptions of the figures.
std::vector<std::pair<std::string, std::string>> graphFigures();

/// Names of the kinds of generated graphs.
std::vector<std::string> generatedKinds();

/// Measures, prints a table for each figure and writes the JSON file. Throws
/// Error, graph::Error or Interrupted.
void runGraphBench(const GraphBenchOptions &options);

} // namespace heddle::bench

#endif
