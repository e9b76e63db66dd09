//===- LabelPropagation.h - Communities ------------------------*- C++ -*-===//
//
// U. N. Raghavan, R. Albert, S. Kumara: Near linear time algorithm to detect
// community structures in large-scale networks (2007), in the deterministic
// form of the LDBC Graphalytics benchmark (CDLP): all vertices change their
// labels at once, and the lowest of several equally frequent labels wins.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_ALGORITHMS_LABELPROPAGATION_H
#define HEDDLE_GRAPH_ALGORITHMS_LABELPROPAGATION_H

#include "heddle/graph/Graph.h"
#include "heddle/graph/VertexArray.h"
#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/algorithms/MostFrequent.h"

#include <algorithm>
#include <cstddef>
#include <omp.h>
#include <utility>

namespace heddle::graph {

struct LabelPropagationOptions {
  /// The most iterations; stops earlier when an iteration changes nothing.
  unsigned iterations = 10;
};

/// For every vertex the label of its community. The label of a vertex is at
/// first the vertex itself. In each iteration, a vertex takes the label that is
/// most frequent among its neighbours. In a directed graph, these are the other
/// ends of its in-edges and of its out-edges; a neighbour in both directions
/// counts twice, and so do parallel edges. A vertex without edges keeps its
/// label. Runs on the threads of OpenMP; the result does not depend on their
/// number. Takes, per iteration, time in proportion to the edges and the time
/// to sort the labels around each vertex. Takes memory for a label per vertex
/// in addition to the result, and per thread for the labels of the highest
/// degree. Throws std::bad_alloc.
///
///   auto community = labelPropagation(graph, {.iterations = 5});
template <Graph Store>
VertexArray<typename Store::VertexId>
labelPropagation(const Store &graph,
                 const LabelPropagationOptions &options = {}) {
  using VertexId = typename Store::VertexId;
  const VertexId vertices = graph.vertexCount();
  const bool directed = graph.isDirected();
  VertexArray<VertexId> label(vertices), next(vertices);
  typename Store::EdgeId highestDegree = 0;
#pragma omp parallel for reduction(max : highestDegree)
  for (VertexId v = 0; v < vertices; ++v) {
    label[v] = v;
    const auto degree = graph.outDegree(v) + (directed ? graph.inDegree(v) : 0);
    highestDegree = std::max(highestDegree, degree);
  }

  const auto threads = static_cast<std::size_t>(omp_get_max_threads());
  Array<VertexId> around(threads * highestDegree);
  for (unsigned iteration = 0; iteration < options.iterations; ++iteration) {
    bool changed = false;
#pragma omp parallel for schedule(dynamic, 256) reduction(|| : changed)
    for (VertexId v = 0; v < vertices; ++v) {
      VertexId *const first =
          around.data() +
          static_cast<std::size_t>(omp_get_thread_num()) * highestDegree;
      VertexId *last = first;
      for (const auto [target, weight] : graph.outEdges(v))
        *last++ = label[target];
      if (directed)
        for (const auto [source, weight] : graph.inEdges(v))
          *last++ = label[source];
      HEDDLE_ASSERT(static_cast<std::size_t>(last - first) <= highestDegree);
      next[v] = first == last ? label[v] : detail::mostFrequent(first, last);
      changed = changed || next[v] != label[v];
    }
    std::swap(label, next);
    if (!changed)
      break;
  }
  return label;
}

} // namespace heddle::graph

#endif
