//===- BetweennessCentrality.h - Check centralities ------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_VERIFY_BETWEENNESSCENTRALITY_H
#define HEDDLE_GRAPH_VERIFY_BETWEENNESSCENTRALITY_H

#include "heddle/graph/Graph.h"
#include "heddle/graph/verify/Violation.h"

#include <cmath>
#include <span>
#include <type_traits>
#include <vector>

namespace heddle::graph {

/// Whether `centrality` is the result of Brandes' serial algorithm, with
/// relative errors of at most `tolerance`. Takes time in proportion to the
/// edges a source.
///
///   if (auto violation = verifyBetweennessCentrality(graph, sources, result))
///     std::cerr << *violation << '\n';
template <Graph Store>
Violation verifyBetweennessCentrality(
    const Store &graph,
    std::type_identity_t<std::span<const typename Store::VertexId>> sources,
    std::span<const double> centrality, double tolerance = 1e-6) {
  using VertexId = typename Store::VertexId;
  if (centrality.size() != graph.vertexCount())
    return detail::wrongSize(graph.vertexCount(), centrality.size());

  const std::size_t vertices = graph.vertexCount();
  std::vector<double> expected(vertices, 0);
  for (const VertexId source : sources) {
    // Numbers of paths need the range of a long double.
    std::vector<long double> paths(vertices, 0);
    std::vector<double> dependency(vertices, 0);
    std::vector<VertexId> depth(vertices, NoVertex<VertexId>);
    std::vector<VertexId> order = {source};
    paths[source] = 1;
    depth[source] = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const VertexId v = order[i];
      for (const auto [target, weight] : graph.outEdges(v)) {
        if (depth[target] == NoVertex<VertexId>) {
          depth[target] = depth[v] + 1;
          order.push_back(target);
        }
        if (depth[target] == depth[v] + 1)
          paths[target] += paths[v];
      }
    }
    for (std::size_t i = order.size() - 1; i > 0; --i) {
      const VertexId v = order[i];
      for (const auto [previous, weight] : graph.inEdges(v))
        if (depth[previous] + 1 == depth[v])
          dependency[previous] +=
              static_cast<double>(paths[previous] / paths[v]) *
              (1 + dependency[v]);
      expected[v] += dependency[v];
    }
  }

  for (VertexId v = 0; v < vertices; ++v)
    if (!(std::abs(centrality[v] - expected[v]) <=
          tolerance * (1 + expected[v])))
      return detail::wrongValue(v, "centrality", expected[v], centrality[v]);
  return {};
}

} // namespace heddle::graph

#endif
