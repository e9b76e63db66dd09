//===- Figures.h - What each experiment brings -----------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_BENCH_GRAPH_FIGURES_H
#define HEDDLE_TOOLS_BENCH_GRAPH_FIGURES_H

#include "GraphBench.h"

#include "../../Json.h"
#include "../Contest.h"
#include "../Progress.h"

#include "heddle/graph/Array.h"
#include "heddle/graph/Csr.h"

#include <chrono>
#include <cstddef>

namespace heddle::bench {

/// A directed graph, and where its results go.
struct FigureInput {
  const std::string &name;
  const graph::Csr<> &graph;
  const GraphBenchOptions &options;
  const Progress &progress;
  std::vector<JsonObject> &rows;
};

struct Figure {
  std::string name;
  std::string description;
  std::string header; ///< what stands above the table
  /// Prints lines of the table and adds rows.
  void (*measure)(const FigureInput &input);
  /// Of the generated graphs.
  std::vector<unsigned> usualScales;
  std::vector<std::uint64_t> usualDegrees;
};

Figure packingFigure();
Figure schedulingFigure();
Figure phasesFigure();

/// The input of a PageRank step: every vertex gives the same, divided by its
/// out-edges.
template <typename Value>
graph::Array<Value> contributionsOf(const auto &graph) {
  const std::size_t vertices = graph.vertexCount();
  graph::Array<Value> contributions(vertices);
#pragma omp parallel for
  for (std::size_t v = 0; v < vertices; ++v) {
    const auto degree = static_cast<Value>(graph.outDegree(v));
    contributions[v] = degree > 0 ? 1 / degree : 0;
  }
  return contributions;
}

/// A rival that prepares, untimed, and then works.
template <typename Prepare, typename Work>
Rival timed(Prepare prepare, Work work) {
  return [=] {
    using Clock = std::chrono::steady_clock;
    prepare();
    const Clock::time_point start = Clock::now();
    work();
    const std::chrono::duration<double> elapsed = Clock::now() - start;
    return elapsed.count();
  };
}

/// The sums that arrive at each vertex, one edge after the other in double
/// precision.
graph::Array<double> expectedSums(const graph::Csr<> &graph);

/// Throws Error if sums in any order and precision would not be like this.
template <typename Value>
void checkSums(const std::string &version, const graph::Array<Value> &sums,
               const graph::Array<double> &expected);

} // namespace heddle::bench

#endif
