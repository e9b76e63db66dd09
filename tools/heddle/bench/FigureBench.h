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
#include <functional>
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
  bool quick = false;   ///< small where nothing else is asked for
  std::string jsonPath; ///< empty for no file
};

/// One of the versions that a figure compares.
struct FigureVersion {
  const char *name;
  Rival rival;
  /// Throws Error if what the rival has computed is wrong.
  std::function<void()> check = [] {};
};

/// A directed graph, and where its results go.
struct FigureInput {
  const std::string &name;
  const graph::Csr<> &graph;
  const FigureOptions &options;
  const Progress &progress;
  std::vector<JsonObject> &rows;

  /// Has versions compete, once each has run without being counted, so that
  /// caches and page tables settle, and been checked; `what` says meanwhile
  /// what they do.
  std::vector<Standing> compete(const std::vector<FigureVersion> &versions,
                                const std::string &what) const;
  /// Returns the fields that rows of a figure begin with.
  JsonObject row(const char *figure, int threads) const;
  /// Adds a row for each version, which begins like `row`; `unit` is the name
  /// of what one of so many operations takes.
  void addRows(const JsonObject &row,
               const std::vector<FigureVersion> &versions,
               const std::vector<Standing> &standings, const char *unit,
               double operations) const;
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
