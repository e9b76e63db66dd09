//===- EdgeSamples.h - Edges that a store is asked about -------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_BENCH_DYNAMIC_EDGESAMPLES_H
#define HEDDLE_TOOLS_BENCH_DYNAMIC_EDGESAMPLES_H

#include "TestedStore.h"

#include "heddle/graph/Csr.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::bench {

/// Draws edges, the same in every run, from a graph that has at least one.
class EdgeSamples {
public:
  using Edge = bench_dynamic::Edge;

  explicit EdgeSamples(const graph::Csr<> &graph) : graph(graph) {}

  /// Edges of the graph, each as likely.
  std::vector<Edge> present(std::size_t count);

  /// Returns `count` pairs of vertices, each with the same probability an edge
  /// of the graph or a random pair.
  std::vector<Edge> mixed(std::size_t count);

  /// Returns different edges that the graph does not have, between vertices
  /// that are chosen in proportion to their degrees; fewer if there are not
  /// enough.
  std::vector<Edge> absent(std::size_t count);

  /// A vertex with an out-edge.
  std::uint32_t source();

private:
  std::uint64_t below(std::uint64_t bound);
  Edge edge();
  std::uint32_t vertex();
  bool has(const Edge &edge) const;

  const graph::Csr<> &graph;
  std::uint64_t drawn = 0;
};

} // namespace heddle::bench

#endif
