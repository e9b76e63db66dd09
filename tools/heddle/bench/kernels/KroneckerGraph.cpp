//===- KroneckerGraph.cpp - The graph of Graph500 as plain rows ----------===//

#include "KroneckerGraph.h"

#include "heddle/graph/detail/Kronecker.h"

#include <bit>

namespace heddle::bench {

namespace {

constexpr uint64_t EdgesPerVertex = 16;
constexpr uint64_t Seed = 20;

} // namespace

Graph makeKroneckerGraph(uint64_t vertices, Arena &arena) {
  const uint64_t edges = vertices * EdgesPerVertex;
  const graph::detail::KroneckerEdges edge(
      static_cast<unsigned>(std::countr_zero(vertices)), Seed);
  Graph graph = {static_cast<int64_t>(vertices),
                 arena.allocate<int64_t>(vertices + 1),
                 arena.allocate<uint32_t>(2 * edges)};
  // While rows are filled, rows[v + 1] is the index for the next neighbour of
  // v; at the end it is the beginning of row v + 1.
  for (uint64_t i = 0; i < edges; ++i) {
    const auto [from, to] = edge[i];
    for (const uint64_t vertex : {from, to})
      if (vertex + 2 <= vertices)
        ++graph.rows[vertex + 2];
  }
  for (uint64_t vertex = 1; vertex <= vertices; ++vertex)
    graph.rows[vertex] += graph.rows[vertex - 1];
  for (uint64_t i = 0; i < edges; ++i) {
    const auto [from, to] = edge[i];
    graph.columns[graph.rows[from + 1]++] = static_cast<uint32_t>(to);
    graph.columns[graph.rows[to + 1]++] = static_cast<uint32_t>(from);
  }
  return graph;
}

uint64_t kroneckerBytesPerVertex() {
  return sizeof(*Graph::rows) + 2 * EdgesPerVertex * sizeof(*Graph::columns);
}

} // namespace heddle::bench
