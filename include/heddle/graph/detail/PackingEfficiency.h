//===- PackingEfficiency.h - The cost of padding ----------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_PACKINGEFFICIENCY_H
#define HEDDLE_GRAPH_PACKINGEFFICIENCY_H

#include "heddle/graph/Graph.h"

#include <cstddef>
#include <cstdint>

namespace heddle::graph {

/// The share of lanes with an edge in edge vectors (Grazelle, section 6.2), 0
/// to 1. Without edges there are no lanes, and none is wasted: 1.
struct PackingEfficiency {
  double out; ///< of edges grouped by source, VSS
  double in;  ///< of edges grouped by destination, VSD; equal if undirected
};

/// Returns the packing efficiency of a graph in edge vectors of `lanes` lanes,
/// at least
/// 1. Does not build a store: takes time in proportion to the vertices, for the
/// degree of each, in parallel.
///
///   packingEfficiency(graph, 8).in
template <Graph Store>
PackingEfficiency packingEfficiency(const Store &graph, unsigned lanes) {
  const auto share = [&](auto degree) {
    std::uint64_t vectors = 0;
    const std::size_t vertices = graph.vertexCount();
#pragma omp parallel for reduction(+ : vectors)
    for (std::size_t row = 0; row < vertices; ++row) {
      const std::uint64_t edges =
          degree(static_cast<typename Store::VertexId>(row));
      vectors += edges / lanes + (edges % lanes != 0);
    }
    if (vectors == 0)
      return 1.0;
    return static_cast<double>(graph.edgeCount()) /
           (static_cast<double>(vectors) * lanes);
  };
  const double out =
      share([&](auto vertex) { return graph.outDegree(vertex); });
  if (!graph.isDirected())
    return {out, out};
  return {out, share([&](auto vertex) { return graph.inDegree(vertex); })};
}

} // namespace heddle::graph

#endif
