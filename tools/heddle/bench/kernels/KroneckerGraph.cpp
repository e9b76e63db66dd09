//===- KroneckerGraph.cpp - The generator of Graph500 --------------------===//

#include "KroneckerGraph.h"

#include <bit>
#include <cmath>

namespace heddle::bench {

KroneckerGraph::KroneckerGraph(uint64_t vertices)
    : vertices(vertices), label(vertices) {
  // Of the quadrants of the adjacency matrix, by from bit and to bit.
  constexpr double probability[2][2] = {{0.57, 0.19}, {0.19, 0.05}};
  constexpr size_t draws = size_t(1) << BitsPerDraw;
  double cumulated = 0;
  for (unsigned outcome = 0; outcome < 16; ++outcome) {
    const unsigned from = outcome >> 2, to = outcome & 3;
    cumulated +=
        probability[from >> 1][to >> 1] * probability[from & 1][to & 1];
    outcomes.resize(static_cast<size_t>(std::lround(cumulated * draws)),
                    static_cast<uint8_t>(outcome));
  }
}

KroneckerGraph::Edge KroneckerGraph::edge(uint64_t index) const {
  constexpr int drawsPerNumber = 64 / BitsPerDraw;
  const int levels = std::countr_zero(vertices);
  uint64_t from = 0, to = 0, bits = 0;
  for (int level = 0, draw = 0; level < levels; level += 2, ++draw) {
    if (draw % drawsPerNumber == 0)
      bits = mix(mix(20 + draw) ^ index);
    const uint8_t outcome = outcomes[bits & (outcomes.size() - 1)];
    bits >>= BitsPerDraw;
    from = from << 2 | outcome >> 2;
    to = to << 2 | (outcome & 3);
  }
  // An odd number of levels has drawn one bit too many.
  from &= vertices - 1;
  to &= vertices - 1;
  return {static_cast<uint32_t>(label(from)), static_cast<uint32_t>(label(to))};
}

Graph KroneckerGraph::build(Arena &arena) const {
  const uint64_t edges = vertices * EdgesPerVertex;
  Graph graph = {static_cast<int64_t>(vertices),
                 arena.allocate<int64_t>(vertices + 1),
                 arena.allocate<uint32_t>(2 * edges)};
  // While rows are filled, rows[v + 1] is where the next neighbour of v goes;
  // at the end that is where row v + 1 begins.
  for (uint64_t i = 0; i < edges; ++i)
    for (Edge both = edge(i); uint32_t vertex : {both.from, both.to})
      if (vertex + 2 <= vertices)
        ++graph.rows[vertex + 2];
  for (uint64_t vertex = 1; vertex <= vertices; ++vertex)
    graph.rows[vertex] += graph.rows[vertex - 1];
  for (uint64_t i = 0; i < edges; ++i) {
    const Edge both = edge(i);
    graph.columns[graph.rows[both.from + 1]++] = both.to;
    graph.columns[graph.rows[both.to + 1]++] = both.from;
  }
  return graph;
}

} // namespace heddle::bench
