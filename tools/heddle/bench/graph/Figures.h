//===- Figures.h - Grazelle's experiments ----------------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_BENCH_GRAPH_FIGURES_H
#define HEDDLE_TOOLS_BENCH_GRAPH_FIGURES_H

#include "../FigureBench.h"

#include "heddle/graph/Csr.h"
#include "heddle/graph/detail/Array.h"

#include <cstddef>

namespace heddle::bench {

/// Figures 5, 6, 9 and 10 of "Making Pull-Based Graph Processing Performant"
/// (PPoPP 2018).
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

/// The sums that arrive at each vertex, one edge after the other in double
/// precision.
graph::Array<double> expectedSums(const graph::Csr<> &graph);

/// Throws Error if sums in any order and precision would not be like this.
template <typename Value>
void checkSums(const std::string &version, const graph::Array<Value> &sums,
               const graph::Array<double> &expected);

} // namespace heddle::bench

#endif
