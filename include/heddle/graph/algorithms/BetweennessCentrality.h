//===- BetweennessCentrality.h - Brandes's algorithm ------------*- C++ -*-===//
//
// U. Brandes: A faster algorithm for betweenness centrality (2001). From a
// source, shortest paths are counted level by level; then, level by level
// backwards, each vertex accumulates the dependencies of the vertices behind
// it. Counting pushes along the edges of small levels, and otherwise pulls into
// the rest of the graph, as in breadth-first search.
//
// Pulls have to recognise the neighbours in the adjacent level. They read from
// an array that is zero for all other vertices, and so just add up.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_ALGORITHMS_BETWEENNESSCENTRALITY_H
#define HEDDLE_GRAPH_ALGORITHMS_BETWEENNESSCENTRALITY_H

#include "heddle/graph/Frontier.h"
#include "heddle/graph/algorithms/Source.h"
#include "heddle/graph/detail/Assert.h"

#include <algorithm>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace heddle::graph {

namespace detail {

template <Graph Store> class Brandes {
public:
  using VertexId = typename Store::VertexId;
  using EdgeId = typename Store::EdgeId;

  explicit Brandes(const Store &graph)
      : graph(graph), vertices(graph.vertexCount()), centrality(vertices, 0),
        paths(vertices), dependency(vertices), flow(vertices, 0),
        depth(vertices), order(vertices) {}

  void addSource(VertexId source) {
    countPaths(source);
    collectDependencies();
  }

  VertexArray<double> result() && { return std::move(centrality); }

private:
  /// The vertices at one distance from the source: a part of `order`.
  struct Level {
    std::size_t begin, end;
    /// The number of edges that leave its vertices.
    EdgeId edges = 0;
    /// The factor by which the numbers of paths were scaled, relative to the
    /// level before.
    double scale = 1;
  };

  std::span<const VertexId> in(const Level &level) const {
    HEDDLE_ASSERT(level.begin <= level.end && level.end <= order.size());
    return order.vertices().subspan(level.begin, level.end - level.begin);
  }

  void countPaths(VertexId source) {
    paths.fill(0);
    depth.fill(NotSeen);
    order.clearSparse();
    levels.clear();
    order.insert(source);
    paths[source] = 1;
    depth[source] = 0;
    double mostPaths = 1;
    EdgeId unexplored = graph.edgeCount();
    for (Level level = {0, 1}; level.begin != level.end;
         level = {level.end, order.size()}) {
      mostPaths = keepFinite(level, mostPaths);
      levels.push_back(level);
      levels.back().edges = edgesFrom(level);
      HEDDLE_ASSERT(levels.back().edges <= unexplored);
      unexplored -= levels.back().edges;
      if (PushCost * levels.back().edges > unexplored + vertices)
        pullPaths(levels.back());
      else
        pushPaths(levels.back());
      mostPaths *= static_cast<double>(graph.edgeCount());
    }
  }

  // Most levels of long graphs are small, and are handled serially, because
  // OpenMP would take longer.

  EdgeId edgesFrom(const Level &level) const {
    const std::span<const VertexId> sources = in(level);
    EdgeId edges = 0;
    if (!worthThreads(sources.size())) {
      for (const VertexId source : sources)
        edges += graph.outDegree(source);
      return edges;
    }
#pragma omp parallel for reduction(+ : edges)
#pragma heddle async
    for (std::size_t i = 0; i < sources.size(); ++i)
      edges += graph.outDegree(sources[i]);
    return edges;
  }

  using Appender = typename Frontier<VertexId>::Appender;

  /// Adds the path counts of a level to those of the next.
  void pushPaths(const Level &level) {
    const std::span<const VertexId> sources = in(level);
    const auto next = static_cast<VertexId>(levels.size());
    if (!worthThreads(level.edges)) {
      Appender found(order);
      for (const VertexId source : sources)
        pushPathsOf(source, next, found);
      return;
    }
#pragma omp parallel
    {
      Appender found(order);
#pragma omp for schedule(dynamic, 256) nowait
#pragma heddle async
      for (std::size_t i = 0; i < sources.size(); ++i)
        pushPathsOf(sources[i], next, found);
    }
  }

  void pushPathsOf(VertexId source, VertexId next, Appender &found) {
    for (const auto [target, weight] : graph.outEdges(source)) {
      VertexId seen = loadShared(depth[target]);
      if (seen == NotSeen) {
        if (claimShared(depth[target], NotSeen, next))
          found.append(target);
        seen = next;
      }
      if (seen == next)
        addShared(paths[target], paths[source]);
    }
  }

  void pullPaths(const Level &level) {
    setFlow(level, [&](VertexId vertex) { return paths[vertex]; });
    const auto next = static_cast<VertexId>(levels.size());
#pragma omp parallel
    {
      typename Frontier<VertexId>::Appender found(order);
#pragma omp for schedule(dynamic, 1024) nowait
      for (VertexId v = 0; v < vertices; ++v) {
        if (depth[v] != NotSeen)
          continue;
        double sum = 0;
        for (const auto [source, weight] : graph.inEdges(v))
          sum += flow[source];
        if (sum > 0) {
          depth[v] = next;
          paths[v] = sum;
          found.append(v);
        }
      }
    }
    setFlow(level, [](VertexId) { return 0.0; });
  }

  /// Numbers of paths may overflow, but only the ratios between neighbouring
  /// levels matter. `bound` is an upper bound of a level's numbers. Scales the
  /// numbers down if the next levels might overflow, and returns the new bound.
  double keepFinite(Level &level, double bound) {
    constexpr double TooMany = 0x1p900, Scale = 0x1p-600;
    if (bound < TooMany)
      return bound;
    const std::span<const VertexId> members = in(level);
    double most = 0;
#pragma omp parallel for reduction(max : most)
    for (std::size_t i = 0; i < members.size(); ++i)
      most = std::max(most, paths[members[i]]);
    if (most * Scale < 1)
      return most;
    level.scale = Scale;
#pragma omp parallel for
    for (std::size_t i = 0; i < members.size(); ++i)
      paths[members[i]] = std::max(paths[members[i]] * Scale,
                                   std::numeric_limits<double>::min());
    return most * Scale;
  }

  void collectDependencies() {
    HEDDLE_ASSERT(!levels.empty() && levels.back().end == order.size());
    for (const VertexId vertex : in(levels.back()))
      dependency[vertex] = 0;
    for (std::size_t behind = levels.size() - 1; behind > 0; --behind) {
      const Level &level = levels[behind];
      setFlow(level, [&](VertexId vertex) {
        return (1 + dependency[vertex]) / paths[vertex];
      });
      pullDependencies(levels[behind - 1], level.scale, behind > 1);
      setFlow(level, [](VertexId) { return 0.0; });
    }
  }

  void pullDependencies(const Level &level, double scale, bool isOnTheWay) {
    const std::span<const VertexId> members = in(level);
    if (!worthThreads(level.edges)) {
      for (const VertexId member : members)
        pullDependencyOf(member, scale, isOnTheWay);
      return;
    }
#pragma omp parallel for schedule(dynamic, 256)
#pragma heddle async
    for (std::size_t i = 0; i < members.size(); ++i)
      pullDependencyOf(members[i], scale, isOnTheWay);
  }

  void pullDependencyOf(VertexId vertex, double scale, bool isOnTheWay) {
    double sum = 0;
    for (const auto [target, weight] : graph.outEdges(vertex))
      sum += flow[target];
    dependency[vertex] = paths[vertex] * sum * scale;
    if (isOnTheWay)
      centrality[vertex] += dependency[vertex];
  }

  template <typename Value> void setFlow(const Level &level, Value value) {
    const std::span<const VertexId> members = in(level);
    if (!worthThreads(members.size())) {
      for (const VertexId member : members)
        flow[member] = value(member);
      return;
    }
#pragma omp parallel for schedule(dynamic, 1024)
#pragma heddle async
    for (std::size_t i = 0; i < members.size(); ++i)
      flow[members[i]] = value(members[i]);
  }

  static constexpr VertexId NotSeen = NoVertex<VertexId>;
  /// The cost of following an edge in a push, relative to a pull.
  static constexpr EdgeId PushCost = 3;

  const Store &graph;
  const VertexId vertices;
  VertexArray<double> centrality, paths, dependency, flow;
  VertexArray<VertexId> depth;
  Frontier<VertexId> order;
  std::vector<Level> levels;
};

} // namespace detail

/// For every vertex v: the sum, over all pairs of one of the `sources` and
/// another vertex, of the fraction of shortest paths between the two that pass
/// through v. If all vertices are sources, this is the betweenness of v, or
/// twice that in an undirected graph, since each pair counts in both
/// directions. A sample of sources gives an estimate. A source that is given
/// twice counts twice. All edges have the same length, and parallel edges are
/// different paths. A path does not pass through its own ends.
///
/// Runs on the threads of OpenMP; the order in which they add up may change the
/// last bits of the result. Takes, per source, time in proportion to the edges;
/// and per vertex, memory for three doubles and two identifiers in addition to
/// the result. Throws Error if a source does not exist, and std::bad_alloc.
///
///   auto centrality = betweennessCentrality(graph, std::array{0u, 7u});
template <Graph Store>
VertexArray<double> betweennessCentrality(
    const Store &graph,
    std::type_identity_t<std::span<const typename Store::VertexId>> sources) {
  for (const typename Store::VertexId source : sources)
    checkSource(graph, source);
  detail::Brandes<Store> brandes(graph);
  for (const typename Store::VertexId source : sources)
    brandes.addSource(source);
  return std::move(brandes).result();
}

} // namespace heddle::graph

#endif
