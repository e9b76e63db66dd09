//===- VectorSparseAlgorithmsTest.cpp - Algorithms on edge vectors --------===//
//
// Algorithms do not depend on the store. Their results on edge vectors are
// verified, and equal those on compressed rows if only one result is right.
//
//===----------------------------------------------------------------------===//

#include "../support/SampleGraphs.h"
#include "heddle/graph/ToVectorSparse.h"
#include "heddle/graph/algorithms/BetweennessCentrality.h"
#include "heddle/graph/algorithms/BreadthFirstSearch.h"
#include "heddle/graph/algorithms/ConnectedComponents.h"
#include "heddle/graph/algorithms/CoreNumbers.h"
#include "heddle/graph/algorithms/LabelPropagation.h"
#include "heddle/graph/algorithms/PageRank.h"
#include "heddle/graph/algorithms/ShortestPaths.h"
#include "heddle/graph/algorithms/TriangleCount.h"
#include "heddle/graph/verify/BetweennessCentrality.h"
#include "heddle/graph/verify/BreadthFirstSearch.h"
#include "heddle/graph/verify/ConnectedComponents.h"
#include "heddle/graph/verify/CoreNumbers.h"
#include "heddle/graph/verify/LabelPropagation.h"
#include "heddle/graph/verify/PageRank.h"
#include "heddle/graph/verify/ShortestPaths.h"
#include "heddle/graph/verify/TriangleCount.h"

namespace {

using namespace heddle::graph;
using namespace heddle::test;

/// The widths of a VectorSparse, whatever its weights.
template <typename LaneType, unsigned LaneCount> struct Widths {
  template <typename Weight>
  using Store = VectorSparse<LaneType, LaneCount, Weight>;
};

template <typename Widths> class VectorSparseAlgorithms : public testing::Test {
protected:
  /// Calls `check` with every sample in edge vectors and in compressed rows.
  template <typename Weight = Unweighted, typename Check>
  static void forEachSampleOf(Check check) {
    forEachSample<std::uint32_t, Weight>([&](const auto &csr) {
      using Store = typename Widths::template Store<Weight>;
      check(toVectorSparse<Store>(csr), csr);
    });
  }
};
using AllWidths =
    testing::Types<Widths<std::uint32_t, 16>, Widths<std::uint64_t, 4>>;
TYPED_TEST_SUITE(VectorSparseAlgorithms, AllWidths);

template <typename Left, typename Right>
void expectEqual(const Left &left, const Right &right) {
  ASSERT_EQ(left.size(), right.size());
  for (std::size_t v = 0; v < left.size(); ++v)
    ASSERT_EQ(left[v], right[v]) << "vertex " << v;
}

TYPED_TEST(VectorSparseAlgorithms, BreadthFirstSearch) {
  this->forEachSampleOf([](const auto &graph, const auto &) {
    for (const auto source : sampleSources(graph))
      EXPECT_EQ(verifyBreadthFirstSearch(graph, source,
                                         breadthFirstSearch(graph, source)),
                std::nullopt);
  });
}

TYPED_TEST(VectorSparseAlgorithms, ShortestPaths) {
  this->template forEachSampleOf<std::int32_t>(
      [](const auto &graph, const auto &csr) {
        for (const auto source : sampleSources(csr)) {
          const auto distance = shortestPaths(graph, source);
          EXPECT_EQ(verifyShortestPaths(graph, source, distance), std::nullopt);
          expectEqual(distance, shortestPaths(csr, source));
        }
      });
  this->template forEachSampleOf<float>([](const auto &graph, const auto &csr) {
    for (const auto source : sampleSources(csr))
      expectEqual(shortestPaths(graph, source), shortestPaths(csr, source));
  });
}

TYPED_TEST(VectorSparseAlgorithms, PageRank) {
  this->forEachSampleOf([](const auto &graph, const auto &) {
    const auto result =
        pageRank(graph, {.tolerance = 1e-4, .iterations = 1000});
    EXPECT_EQ(verifyPageRank(graph, result.rank, 0.85, 1e-4), std::nullopt);
  });
}

TYPED_TEST(VectorSparseAlgorithms, ConnectedComponents) {
  this->forEachSampleOf([](const auto &graph, const auto &csr) {
    const auto component = connectedComponents(graph);
    EXPECT_EQ(verifyConnectedComponents(graph, component), std::nullopt);
    expectEqual(component, connectedComponents(csr));
  });
}

TYPED_TEST(VectorSparseAlgorithms, LabelPropagation) {
  this->forEachSampleOf([](const auto &graph, const auto &csr) {
    const auto label = labelPropagation(graph, {.iterations = 5});
    EXPECT_EQ(verifyLabelPropagation(graph, label, 5), std::nullopt);
    expectEqual(label, labelPropagation(csr, {.iterations = 5}));
  });
}

TYPED_TEST(VectorSparseAlgorithms, BetweennessCentrality) {
  this->forEachSampleOf([](const auto &graph, const auto &) {
    const auto sources = sampleSources(graph);
    EXPECT_EQ(verifyBetweennessCentrality(
                  graph, sources, betweennessCentrality(graph, sources)),
              std::nullopt);
  });
}

TYPED_TEST(VectorSparseAlgorithms, TrianglesAndCores) {
  this->forEachSampleOf([](const auto &graph, const auto &csr) {
    if (graph.isDirected())
      return;
    const std::uint64_t triangles = triangleCount(graph);
    EXPECT_EQ(verifyTriangleCount(graph, triangles), std::nullopt);
    EXPECT_EQ(triangles, triangleCount(csr));
    const auto core = coreNumbers(graph);
    EXPECT_EQ(verifyCoreNumbers(graph, core), std::nullopt);
    expectEqual(core, coreNumbers(csr));
  });
}

} // namespace
