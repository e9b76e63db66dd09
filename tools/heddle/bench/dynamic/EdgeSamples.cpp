//===- EdgeSamples.cpp - Edges that a store is asked about ----------------===//

#include "EdgeSamples.h"

#include "../Random.h"

#include <algorithm>
#include <ranges>

namespace heddle::bench {

std::uint64_t EdgeSamples::below(std::uint64_t bound) {
  constexpr std::uint64_t seed = 1;
  return randomBelow(seed, drawn++, bound);
}

EdgeSamples::Edge EdgeSamples::edge() {
  const auto &[offsets, targets, weights] = graph.outRows();
  const std::uint64_t index = below(graph.edgeCount());
  const auto above = std::ranges::upper_bound(offsets, index);
  return {static_cast<std::uint32_t>(above - offsets.begin() - 1),
          targets[index]};
}

std::uint32_t EdgeSamples::vertex() {
  return static_cast<std::uint32_t>(below(graph.vertexCount()));
}

bool EdgeSamples::has(const Edge &edge) const {
  return std::ranges::binary_search(
      graph.outEdges(edge.first), edge.second, {},
      [](const auto &neighbour) { return neighbour.target; });
}

std::vector<EdgeSamples::Edge> EdgeSamples::present(std::size_t count) {
  std::vector<Edge> edges(count);
  std::ranges::generate(edges, [this] { return edge(); });
  return edges;
}

std::vector<EdgeSamples::Edge> EdgeSamples::mixed(std::size_t count) {
  std::vector<Edge> edges(count);
  std::ranges::generate(
      edges, [&] { return below(2) ? edge() : Edge(vertex(), vertex()); });
  return edges;
}

std::vector<EdgeSamples::Edge> EdgeSamples::absent(std::size_t count) {
  constexpr std::size_t TriesForEach = 8;
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < TriesForEach * count; ++i) {
    const Edge candidate = {edge().first, edge().second};
    if (!has(candidate))
      edges.push_back(candidate);
    if (edges.size() == 2 * count)
      break;
  }
  std::ranges::sort(edges);
  const auto repeated = std::ranges::unique(edges);
  edges.erase(repeated.begin(), repeated.end());
  for (std::size_t i = edges.size(); i > 1; --i)
    std::swap(edges[i - 1], edges[below(i)]);
  edges.resize(std::min(edges.size(), count));
  return edges;
}

std::uint32_t EdgeSamples::source() { return edge().first; }

} // namespace heddle::bench
