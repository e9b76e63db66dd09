//===- TriangleCount.h - Neighbours that are neighbours --------*- C++ -*-===//
//
// Every edge is directed towards its end of higher degree. Then no vertex has
// many out-edges, even if its degree is high, and each triangle has exactly one
// vertex from which two of its edges lead (N. Chiba, T. Nishizeki: Arboricity
// and subgraph listing algorithms, 1985). That vertex marks its out-neighbours,
// and counts the marked out-neighbours of these.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_ALGORITHMS_TRIANGLECOUNT_H
#define HEDDLE_GRAPH_ALGORITHMS_TRIANGLECOUNT_H

#include "heddle/graph/Error.h"
#include "heddle/graph/Graph.h"
#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/Bitmap.h"
#include "heddle/graph/detail/sort/PrefixSum.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <omp.h>
#include <span>
#include <vector>

namespace heddle::graph {

namespace detail {

/// The edges of an undirected graph towards the ends of higher degree, without
/// self-loops and parallel edges.
template <Graph Store> class DegreeOrderedEdges {
public:
  using VertexId = typename Store::VertexId;

  explicit DegreeOrderedEdges(const Store &graph)
      : graph(graph), begin(graph.vertexCount()), end(graph.vertexCount()) {
    const VertexId vertices = graph.vertexCount();
#pragma omp parallel for schedule(dynamic, 1024)
#pragma heddle async
    for (VertexId v = 0; v < vertices; ++v) {
      std::uint64_t count = 0;
      for (const auto [target, weight] : graph.outEdges(v))
        count += isOrdered(v, target);
      begin[v] = count;
    }
    targets = Array<VertexId>(exclusivePrefixSum(begin));
#pragma omp parallel for schedule(dynamic, 1024)
    for (VertexId v = 0; v < vertices; ++v) {
      VertexId *const first = targets.data() + begin[v];
      VertexId *last = first;
      for (const auto [target, weight] : graph.outEdges(v))
        if (isOrdered(v, target))
          *last++ = target;
      HEDDLE_ASSERT(static_cast<std::size_t>(last - targets.data()) ==
                    (v + 1 < vertices ? begin[v + 1] : targets.size()));
      std::sort(first, last);
      last = std::unique(first, last);
      end[v] = static_cast<std::uint64_t>(last - targets.data());
    }
  }

  std::span<const VertexId> operator[](VertexId vertex) const {
    return {targets.data() + begin[vertex], targets.data() + end[vertex]};
  }

private:
  bool isOrdered(VertexId from, VertexId to) const {
    const auto fromDegree = graph.outDegree(from);
    const auto toDegree = graph.outDegree(to);
    return fromDegree < toDegree || (fromDegree == toDegree && from < to);
  }

  const Store &graph;
  VertexArray<std::uint64_t> begin, end;
  Array<VertexId> targets;
};

} // namespace detail

/// The number of triangles of an undirected graph: sets of three vertices with
/// edges between all of them. Self-loops and parallel edges make no difference.
/// Runs on the threads of OpenMP. Takes time in proportion to the edges times
/// the square root of their number at worst, and memory for half of the edges
/// and a bit a vertex for each thread. Throws Error if the graph is directed,
/// and std::bad_alloc.
///
///   std::uint64_t triangles = triangleCount(graph);
template <Graph Store> std::uint64_t triangleCount(const Store &graph) {
  using VertexId = typename Store::VertexId;
  if (graph.isDirected())
    throw Error("triangle count: expected an undirected graph");
  const detail::DegreeOrderedEdges<Store> edges(graph);
  const VertexId vertices = graph.vertexCount();
  std::vector<Bitmap> marksOfThread;
  for (int thread = 0; thread < omp_get_max_threads(); ++thread)
    marksOfThread.emplace_back(vertices).clear();

  std::uint64_t triangles = 0;
#pragma omp parallel for schedule(dynamic, 256) reduction(+ : triangles)
  for (VertexId u = 0; u < vertices; ++u) {
    Bitmap &marks =
        marksOfThread[static_cast<std::size_t>(omp_get_thread_num())];
    const std::span<const VertexId> neighbours = edges[u];
    for (const VertexId v : neighbours)
      marks.set(v);
#pragma heddle async
    for (std::size_t i = 0; i < neighbours.size(); ++i)
      for (const VertexId w : edges[neighbours[i]])
        triangles += marks.test(w);
    for (const VertexId v : neighbours)
      marks.reset(v);
  }
  return triangles;
}

} // namespace heddle::graph

#endif
