//===- PageRank.h - Check ranks --------------------------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_VERIFY_PAGERANK_H
#define HEDDLE_GRAPH_VERIFY_PAGERANK_H

#include "heddle/graph/Graph.h"
#include "heddle/graph/verify/Violation.h"

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

namespace heddle::graph {

/// Whether another iteration, done in double precision, would change the ranks
/// by no more than `tolerance` in sum. Takes time in proportion to the vertices
/// and edges. `rank` is a range with an element for each vertex.
///
///   if (auto violation = verifyPageRank(graph, rank, 0.85, 1e-4))
///     std::cerr << *violation << '\n';
template <Graph Store, typename Ranks>
Violation verifyPageRank(const Store &graph, const Ranks &rank, double damping,
                         double tolerance) {
  using VertexId = typename Store::VertexId;
  const std::size_t vertices = graph.vertexCount();
  if (rank.size() != vertices)
    return detail::wrongSize(vertices, rank.size());

  double everywhere = 0;
  std::vector<double> next(vertices, 0);
  for (VertexId v = 0; v < vertices; ++v) {
    const auto own = static_cast<double>(rank[v]);
    const auto degree = static_cast<double>(graph.outDegree(v));
    everywhere += degree > 0 ? (1 - damping) * own : own;
    for (const auto [target, weight] : graph.outEdges(v))
      next[target] += damping * own / degree;
  }
  // Written so that NaN is found too.
  double sum = 0, change = 0;
  for (std::size_t v = 0; v < vertices; ++v) {
    sum += static_cast<double>(rank[v]);
    change += std::abs(next[v] + everywhere / static_cast<double>(vertices) -
                       static_cast<double>(rank[v]));
  }
  if (vertices != 0 && !(std::abs(sum - 1) <= tolerance))
    return "expected ranks whose sum is 1, found " + std::to_string(sum);
  if (!(change <= tolerance))
    return "expected ranks that change by at most " +
           std::to_string(tolerance) + " in sum, found " +
           std::to_string(change);
  return {};
}

} // namespace heddle::graph

#endif
