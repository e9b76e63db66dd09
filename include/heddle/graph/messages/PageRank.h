//===- PageRank.h - The rank of vertices, by messages ----------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_MESSAGES_PAGERANK_H
#define HEDDLE_GRAPH_MESSAGES_PAGERANK_H

#include "heddle/graph/algorithms/PageRank.h"

#include <cmath>
#include <concepts>
#include <optional>
#include <utility>

namespace heddle::graph {

struct PageRankByMessagesResult {
  /// The number of iterations done.
  unsigned iterations = 0;
  /// The sum of all changes in the last one.
  double change = 0;
};

namespace detail {

/// The contribution of a vertex to the sums over all vertices.
struct RankSums {
  double change = 0;   ///< of ranks
  double dangling = 0; ///< the rank of vertices without out-edges

  RankSums &operator+=(const RankSums &other) {
    change += other.change;
    dangling += other.dangling;
    return *this;
  }
};

} // namespace detail

/// Computes the result of pageRank() by calls of an engine: a SignalSlot, or an
/// Engine for graphs on disk (heddle/graph/ooc/Engine.h). The ranks are in its
/// vertex array "rank", of Ranks. Throws the exceptions of the engine.
///
///   auto [iterations, change] = pageRankByMessages(engine);
///   const auto &rank = engine.vertexArray<float>("rank");
template <std::floating_point Rank = float, typename Engine>
PageRankByMessagesResult
pageRankByMessages(Engine &engine, const PageRankOptions &options = {}) {
  using VertexId = typename Engine::VertexId;
  using detail::RankSums;
  auto &rank = engine.template vertexArray<Rank>("rank");
  auto &arrived = engine.template vertexArray<Rank>("arrived");
  const auto &degrees = engine.outDegrees();
  const double share = 1.0 / static_cast<double>(engine.vertexCount());

  RankSums sums = engine.processVertices(
      [&](VertexId v) {
        rank[v] = static_cast<Rank>(share);
        arrived[v] = 0;
        return RankSums{.dangling = degrees[v] == 0 ? share : 0};
      },
      {rank, arrived, degrees});
  PageRankByMessagesResult result;
  const auto damping = static_cast<Rank>(options.damping);
  while (result.iterations < options.iterations) {
    engine.processEdges(
        [&](VertexId v) -> std::optional<Rank> {
          if (degrees[v] == 0)
            return std::nullopt;
          return rank[v] / static_cast<Rank>(degrees[v]);
        },
        {std::as_const(rank), degrees},
        [&](Rank message, VertexId, VertexId to, auto) {
          arrived[to] += message;
          return 0;
        },
        {arrived});
    const auto base = static_cast<Rank>(
        (1 - options.damping + options.damping * sums.dangling) * share);
    sums = engine.processVertices(
        [&](VertexId v) {
          const Rank before = rank[v];
          rank[v] = base + damping * arrived[v];
          arrived[v] = 0;
          return RankSums{std::abs(rank[v] - before),
                          degrees[v] == 0 ? rank[v] : 0};
        },
        {rank, arrived, degrees});
    ++result.iterations;
    result.change = sums.change;
    if (result.change < options.tolerance)
      break;
  }
  return result;
}

} // namespace heddle::graph

#endif
