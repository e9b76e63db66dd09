//===- FigureBench.h - Experiments on graphs -------------------*- C++ -*-===//
//
// `heddle bench graph` and `heddle bench dynamic` repeat figures of papers as
// ratios on this machine: on generated graphs and on files.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_FIGUREBENCH_H
#define HEDDLE_TOOLS_BENCH_FIGUREBENCH_H

#include "Progress.h"
#include "measure/Contest.h"

#include "../command/SecondsOf.h"
#include "../output/Json.h"

#include "heddle/graph/Csr.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::bench {

struct FigureOptions {
  std::vector<std::string> figures;   ///< empty for all
  std::vector<std::string> kinds;     ///< of generated graphs
  std::vector<unsigned> scales;       ///< empty for each figure's usual ones
  std::vector<std::uint64_t> degrees; ///< the same
  std::vector<std::string> files;
  std::vector<int> threads;
  /// Edges that a thread takes at once, where a figure is about that.
  std::vector<std::int64_t> chunks = {100, 1000, 10000, 100000, 1000000};
  std::vector<std::string> stores; ///< empty for all
  /// Updates that a store takes at once, where a figure is about that.
  std::vector<std::size_t> batches = {10, 1000, 100000, 1000000};
  /// Queries, and twice the updates, that are timed at once, the same.
  std::size_t operations = std::size_t(1) << 21;
  /// Updates for each edge that a store gets between two measurements, the
  /// same.
  double churn = 10;
  int repetitions = 9;
  std::string jsonPath; ///< empty for no file
};

/// A directed graph, and where its results go.
struct FigureInput {
  const std::string &name;
  const graph::Csr<> &graph;
  const FigureOptions &options;
  const Progress &progress;
  std::vector<JsonObject> &rows;

  /// Times the rivals; meanwhile `what` describes their work in the progress
  /// line.
  std::vector<Standing> compete(const std::vector<Rival> &rivals,
                                const std::string &what) const;
  /// Returns the fields that rows of a figure begin with.
  JsonObject row(const char *figure, int threads) const;
};

struct Figure {
  std::string name;
  std::string description;
  std::string header; ///< the header of the table
  /// Prints lines of the table and adds rows.
  void (*measure)(const FigureInput &input);
  /// The scales and degrees of the generated graphs.
  std::vector<unsigned> usualScales;
  std::vector<std::uint64_t> usualDegrees;
};

/// A rival that prepares, untimed, and then works.
template <typename Prepare, typename Work>
Rival timed(Prepare prepare, Work work) {
  return [=] {
    prepare();
    return secondsOf(work);
  };
}

/// Names of the kinds of generated graphs.
std::vector<std::string> generatedKinds();

/// Measures, prints a table for each figure and writes the JSON file. Throws
/// Error, graph::Error or Interrupted.
void runFigures(const std::vector<Figure> &figures,
                const FigureOptions &options);

} // namespace heddle::bench

#endif
