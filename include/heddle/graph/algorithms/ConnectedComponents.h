//===- ConnectedComponents.h - The Afforest algorithm -----------*- C++ -*-===//
//
// M. Sutton, T. Ben-Nun, A. Barak: Optimizing Parallel Graph Connectivity
// Computation via Subgraph Sampling (IPDPS 2018), called Afforest. A few edges
// of each vertex already join most of the graph into one component; after that
// only edges of vertices outside of this component must be followed.
//
// Labels form a forest: every vertex points to one that is no higher, and roots
// to themselves. A component's root is therefore its lowest vertex.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_ALGORITHMS_CONNECTEDCOMPONENTS_H
#define HEDDLE_GRAPH_ALGORITHMS_CONNECTEDCOMPONENTS_H

#include "heddle/graph/Graph.h"
#include "heddle/graph/VertexArray.h"
#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/Atomic.h"
#include "heddle/graph/detail/algorithms/MostFrequent.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace heddle::graph {

namespace detail {

template <Graph Store> class Afforest {
public:
  using VertexId = typename Store::VertexId;

  explicit Afforest(const Store &graph)
      : graph(graph), vertices(graph.vertexCount()), label(vertices) {}

  VertexArray<VertexId> run() && {
    if (vertices == 0)
      return std::move(label);
    pointToFirstNeighbour();
    compress();
    linkSecondNeighbour();
    compress();
    linkAllOutside(mostFrequentLabel());
    compress();
    return std::move(label);
  }

private:
  // A loop with its own reference to the graph can load the members of the
  // graph before it starts.

  /// No other thread reads these labels yet, so this needs no atomics. If
  /// neighbours are sorted, the first is the lowest.
  void pointToFirstNeighbour() {
    const Store &graph = this->graph;
#pragma omp parallel for
    for (VertexId v = 0; v < vertices; ++v) {
      label[v] = v;
      for (const auto [neighbour, weight] : graph.outEdges(v)) {
        label[v] = std::min(v, VertexId(neighbour));
        break;
      }
    }
  }

  void linkSecondNeighbour() {
    const Store &graph = this->graph;
#pragma omp parallel for schedule(dynamic, 4096)
    for (VertexId v = 0; v < vertices; ++v) {
      int position = 0;
      for (const auto [neighbour, weight] : graph.outEdges(v))
        if (position++ == 1) {
          link(v, neighbour);
          break;
        }
    }
  }

  /// Links vertices outside of the largest component. An edge between that
  /// component and another is found from the other side, which takes the edges
  /// in both directions.
  void linkAllOutside(VertexId largest) {
    const Store &graph = this->graph;
    const bool directed = graph.isDirected();
#pragma omp parallel for schedule(dynamic, 4096)
    for (VertexId v = 0; v < vertices; ++v) {
      if (loadShared(label[v]) == largest ||
          linkAll(v, graph.outEdges(v), largest))
        continue;
      if (directed)
        linkAll(v, graph.inEdges(v), largest);
    }
  }

  /// Joins \p v with the other ends of \p edges. True if \p v has become part
  /// of \p largest: the rest of its edges is then found from their other ends.
  template <typename Edges>
  bool linkAll(VertexId v, Edges edges, VertexId largest) {
    for (const auto [neighbour, weight] : edges)
      if (!areTogether(v, neighbour)) {
        link(v, neighbour);
        if (loadShared(label[loadShared(label[v])]) == largest)
          return true;
      }
    return false;
  }

  /// Whether two vertices are known to be in the same tree, which is soon true
  /// of the ends of most edges. link() would find that too, but its code in a
  /// loop over edges slows down edges that do not need it.
  bool areTogether(VertexId a, VertexId b) const {
    return loadShared(label[a]) == loadShared(label[b]);
  }

  /// Joins the trees of two vertices: hangs the higher root below the lower
  /// one.
  void link(VertexId a, VertexId b) {
    VertexId low = loadShared(label[a]), high = loadShared(label[b]);
    while (low != high) {
      if (low > high)
        std::swap(low, high);
      const VertexId above = loadShared(label[high]);
      if (above == low ||
          (above == high && claimShared(label[high], high, low)))
        return;
      high = loadShared(label[loadShared(label[high])]);
      low = loadShared(label[low]);
    }
  }

  /// Makes every vertex point to its root.
  void compress() {
#pragma omp parallel for schedule(dynamic, 4096)
    for (VertexId v = 0; v < vertices; ++v) {
      VertexId root = loadShared(label[v]);
      for (VertexId above = loadShared(label[root]); above != root;
           above = loadShared(label[root]))
        root = above;
      HEDDLE_ASSERT(root <= v);
      storeShared(label[v], root);
    }
  }

  /// Returns the most frequent label in a sample of vertices: that of the
  /// largest component, if one stands out. Any label is correct, but may be
  /// slower.
  VertexId mostFrequentLabel() const {
    std::array<VertexId, 1024> sample;
    std::uint64_t random = 0;
    for (VertexId &chosen : sample) {
      // A sequence of Weyl: the golden ratio spreads the sample evenly.
      random += 0x9e3779b97f4a7c15;
      chosen = label[static_cast<VertexId>(random % vertices)];
    }
    return mostFrequent(sample.data(), sample.data() + sample.size());
  }

  const Store &graph;
  const VertexId vertices;
  VertexArray<VertexId> label;
};

} // namespace detail

/// For every vertex the lowest vertex of its component. Edges connect in both
/// directions: in a directed graph these are the weak components. Runs on the
/// threads of OpenMP; the result does not depend on their number. Takes time in
/// proportion to the vertices if most of them are in one component, and at
/// worst to the vertices and edges. Takes no memory but the result. Throws
/// std::bad_alloc.
///
///   auto component = connectedComponents(graph);
template <Graph Store>
VertexArray<typename Store::VertexId> connectedComponents(const Store &graph) {
  return detail::Afforest<Store>(graph).run();
}

} // namespace heddle::graph

#endif
