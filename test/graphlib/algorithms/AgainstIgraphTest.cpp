//===- AgainstIgraphTest.cpp - The same results as igraph -----------------===//
//
// Verifiers and algorithms come from the same hands and may share a
// misunderstanding. igraph does not.
//
//===----------------------------------------------------------------------===//

#include "../support/SampleGraphs.h"
#include "heddle/graph/algorithms/BetweennessCentrality.h"
#include "heddle/graph/algorithms/BreadthFirstSearch.h"
#include "heddle/graph/algorithms/ConnectedComponents.h"
#include "heddle/graph/algorithms/CoreNumbers.h"
#include "heddle/graph/algorithms/PageRank.h"
#include "heddle/graph/algorithms/ShortestPaths.h"
#include "heddle/graph/algorithms/TriangleCount.h"

#include <igraph/igraph.h>

#include <cmath>
#include <map>
#include <numeric>

namespace {

using namespace heddle::graph;
using namespace heddle::test;

/// The values of igraph's vector of reals.
class Reals {
public:
  Reals() { igraph_vector_init(&vector, 0); }
  ~Reals() { igraph_vector_destroy(&vector); }
  Reals(const Reals &) = delete;
  Reals &operator=(const Reals &) = delete;
  double operator[](std::size_t i) const {
    return VECTOR(vector)[static_cast<igraph_integer_t>(i)];
  }
  igraph_vector_t vector;
};

class Integers {
public:
  Integers() { igraph_vector_int_init(&vector, 0); }
  ~Integers() { igraph_vector_int_destroy(&vector); }
  Integers(const Integers &) = delete;
  Integers &operator=(const Integers &) = delete;
  igraph_integer_t operator[](std::size_t i) const {
    return VECTOR(vector)[static_cast<igraph_integer_t>(i)];
  }
  igraph_vector_int_t vector;
};

/// igraph's copy of a graph without loops and parallel edges, about which its
/// functions have opinions of their own. Its default error handler ends the
/// program.
template <typename Store> class Igraph {
public:
  explicit Igraph(const Store &store) {
    Integers ends;
    for (std::uint32_t v = 0; v < store.vertexCount(); ++v)
      for (const auto [target, weight] : store.outEdges(v))
        if (store.isDirected() || v < target) {
          igraph_vector_int_push_back(&ends.vector, v);
          igraph_vector_int_push_back(&ends.vector, target);
          if constexpr (IsWeighted<Store>)
            igraph_vector_push_back(&weights.vector, weight);
        }
    igraph_create(&graph, &ends.vector, store.vertexCount(),
                  store.isDirected());
  }
  ~Igraph() { igraph_destroy(&graph); }
  Igraph(const Igraph &) = delete;
  Igraph &operator=(const Igraph &) = delete;

  std::vector<double> distancesFrom(std::uint32_t source) const {
    igraph_matrix_t matrix;
    igraph_matrix_init(&matrix, 0, 0);
    igraph_distances_dijkstra(
        &graph, &matrix, igraph_vss_1(source), igraph_vss_all(),
        IsWeighted<Store> ? &weights.vector : nullptr, IGRAPH_OUT);
    std::vector<double> result;
    for (igraph_integer_t v = 0; v < igraph_vcount(&graph); ++v)
      result.push_back(MATRIX(matrix, 0, v));
    igraph_matrix_destroy(&matrix);
    return result;
  }

  igraph_t graph;
  Reals weights;
};

/// Calls `check` with graphs that have something of everything.
template <typename Weight = Unweighted, typename Check>
void forEachGraph(Check check) {
  for (const auto &[name, list] : sampleLists<std::uint32_t>())
    for (const bool directed : {true, false}) {
      SCOPED_TRACE(name + (directed ? "" : ", undirected"));
      const auto graph =
          buildCsr(withWeights<Weight>(list),
                   {.directed = directed, .dropSelfLoops = true});
      check(graph, Igraph(graph));
    }
}

TEST(AgainstIgraph, DistancesByEdges) {
  forEachGraph([](const auto &graph, const auto &theirs) {
    for (const std::uint32_t source : sampleSources(graph)) {
      const std::vector<double> expected = theirs.distancesFrom(source);
      const auto parent = breadthFirstSearch(graph, source);
      for (std::uint32_t v = 0; v < graph.vertexCount(); ++v) {
        const bool reached = parent[v] != NoVertex<std::uint32_t>;
        ASSERT_EQ(reached, std::isfinite(expected[v])) << v;
        if (reached && v != source)
          ASSERT_EQ(expected[parent[v]] + 1, expected[v]) << v;
      }
    }
  });
}

TEST(AgainstIgraph, DistancesByWeight) {
  forEachGraph<std::int32_t>([](const auto &graph, const auto &theirs) {
    for (const std::uint32_t source : sampleSources(graph)) {
      const std::vector<double> expected = theirs.distancesFrom(source);
      const auto distance = shortestPaths(graph, source);
      for (std::uint32_t v = 0; v < graph.vertexCount(); ++v)
        ASSERT_EQ(distance[v] == Unreachable<std::int32_t>
                      ? std::numeric_limits<double>::infinity()
                      : distance[v],
                  expected[v])
            << v;
    }
  });
}

TEST(AgainstIgraph, PageRank) {
  forEachGraph([](const auto &graph, const auto &theirs) {
    Reals expected;
    igraph_pagerank(&theirs.graph, IGRAPH_PAGERANK_ALGO_PRPACK,
                    &expected.vector, nullptr, igraph_vss_all(),
                    graph.isDirected(), 0.85, nullptr, nullptr);
    const auto result =
        pageRank<double>(graph, {.tolerance = 1e-12, .iterations = 1000});
    for (std::uint32_t v = 0; v < graph.vertexCount(); ++v)
      ASSERT_NEAR(result.rank[v], expected[v], 1e-9) << v;
  });
}

TEST(AgainstIgraph, WeakComponents) {
  forEachGraph([](const auto &graph, const auto &theirs) {
    Integers expected;
    igraph_connected_components(&theirs.graph, &expected.vector, nullptr,
                                nullptr, IGRAPH_WEAK);
    const auto component = connectedComponents(graph);
    std::map<igraph_integer_t, std::uint32_t> lowest;
    for (std::uint32_t v = 0; v < graph.vertexCount(); ++v)
      ASSERT_EQ(component[v], lowest.try_emplace(expected[v], v).first->second)
          << v;
  });
}

TEST(AgainstIgraph, Betweenness) {
  forEachGraph([](const auto &graph, const auto &theirs) {
    Reals expected;
    igraph_betweenness(&theirs.graph, &expected.vector, igraph_vss_all(),
                       graph.isDirected(), nullptr);
    std::vector<std::uint32_t> all(graph.vertexCount());
    std::iota(all.begin(), all.end(), 0u);
    const auto centrality = betweennessCentrality(graph, all);
    for (std::uint32_t v = 0; v < graph.vertexCount(); ++v)
      ASSERT_NEAR(centrality[v] / (graph.isDirected() ? 1 : 2), expected[v],
                  1e-9 * (1 + expected[v]))
          << v;
  });
}

TEST(AgainstIgraph, Triangles) {
  forEachGraph([](const auto &graph, const auto &theirs) {
    if (graph.isDirected())
      return;
    Reals around;
    igraph_adjacent_triangles(&theirs.graph, &around.vector, igraph_vss_all());
    EXPECT_EQ(static_cast<double>(triangleCount(graph)),
              igraph_vector_sum(&around.vector) / 3);
  });
}

TEST(AgainstIgraph, CoreNumbers) {
  forEachGraph([](const auto &graph, const auto &theirs) {
    if (graph.isDirected())
      return;
    Integers expected;
    igraph_coreness(&theirs.graph, &expected.vector, IGRAPH_ALL);
    const auto core = coreNumbers(graph);
    for (std::uint32_t v = 0; v < graph.vertexCount(); ++v)
      ASSERT_EQ(core[v], static_cast<std::uint64_t>(expected[v])) << v;
  });
}

} // namespace
