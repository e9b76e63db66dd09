//===- PageRank.h - The rank of vertices -----------------------*- C++ -*-===//
//
// L. Page, S. Brin, R. Motwani, T. Winograd: The PageRank Citation Ranking
// (1999), by power iteration: a vertex spreads its rank evenly over its
// out-edges, and the next rank of a vertex is the sum of the shares along its
// in-edges.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_ALGORITHMS_PAGERANK_H
#define HEDDLE_GRAPH_ALGORITHMS_PAGERANK_H

#include "heddle/graph/Graph.h"
#include "heddle/graph/VertexArray.h"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <utility>

namespace heddle::graph {

struct PageRankOptions {
  /// The share of a vertex's rank that follows its edges. The rest, and the
  /// whole rank of vertices without out-edges, is distributed evenly over all
  /// vertices.
  double damping = 0.85;
  /// Stop once the sum of all changes in an iteration is below this; 0: never.
  /// Single precision cannot resolve changes below 1e-6.
  double tolerance = 1e-4;
  /// The most iterations.
  unsigned iterations = 20;
};

template <std::floating_point Rank> struct PageRankResult {
  /// The sum is 1, except for rounding.
  VertexArray<Rank> rank;
  /// The number of iterations done.
  unsigned iterations = 0;
  /// The sum of all changes in the last one.
  double change = 0;
};

/// For each vertex the probability that a random surfer is there. The surfer
/// follows random edges and sometimes jumps to a random vertex. Each parallel
/// edge counts. Runs on the threads of OpenMP; the order in which threads add
/// up may change the last bits of the result. Takes, per iteration, time in
/// proportion to the edges, and memory for two Ranks per vertex in addition to
/// the result. Throws std::bad_alloc.
///
///   auto [rank, iterations, change] = pageRank(graph, {.tolerance = 1e-6});
template <std::floating_point Rank = float, Graph Store>
PageRankResult<Rank> pageRank(const Store &graph,
                              const PageRankOptions &options = {}) {
  using VertexId = typename Store::VertexId;
  const VertexId vertices = graph.vertexCount();
  const double share = 1.0 / static_cast<double>(vertices);
  PageRankResult<Rank> result;

  // The out-degree of each vertex, and the rank that it gives to each
  // out-neighbour, or its whole rank if it has none. The rank itself is
  // computed from these two rather than stored and loaded.
  VertexArray<Rank> receivers(vertices), given(vertices);
  const auto sharedBy = [](Rank count) { return std::max<Rank>(count, 1); };
  double dangling = 0;
#pragma omp parallel for reduction(+ : dangling)
  for (VertexId v = 0; v < vertices; ++v) {
    receivers[v] = static_cast<Rank>(graph.outDegree(v));
    given[v] = static_cast<Rank>(share) / sharedBy(receivers[v]);
    dangling += receivers[v] == 0 ? share : 0;
  }

  VertexArray<Rank> sums(vertices);
  const auto damping = static_cast<Rank>(options.damping);
  while (result.iterations < options.iterations) {
#pragma omp parallel for schedule(dynamic, 1024)
#pragma heddle vectorsparse
    for (VertexId v = 0; v < vertices; ++v) {
      Rank sum = 0;
      for (const auto [source, weight] : graph.inEdges(v))
        sum += given[source];
      sums[v] = sum;
    }

    const auto base = static_cast<Rank>(
        (1 - options.damping + options.damping * dangling) * share);
    double change = 0;
    dangling = 0;
    // Apart from the loop over edges, this becomes vector code.
#pragma omp parallel for reduction(+ : change, dangling)
    for (VertexId v = 0; v < vertices; ++v) {
#pragma clang fp reassociate(on)
      const Rank rank = base + damping * sums[v];
      change += std::abs(rank - given[v] * sharedBy(receivers[v]));
      dangling += receivers[v] == 0 ? rank : 0;
      given[v] = rank / sharedBy(receivers[v]);
    }
    ++result.iterations;
    result.change = change;
    if (change < options.tolerance)
      break;
  }

#pragma omp parallel for
  for (VertexId v = 0; v < vertices; ++v)
    given[v] *= sharedBy(receivers[v]);
  result.rank = std::move(given);
  return result;
}

} // namespace heddle::graph

#endif
