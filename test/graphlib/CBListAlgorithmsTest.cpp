//===- CBListAlgorithmsTest.cpp - The same results as on Csr --------------===//

#include "CBListModel.h"
#include "SampleGraphs.h"
#include "heddle/graph/ToCBList.h"
#include "heddle/graph/ToCsr.h"
#include "heddle/graph/algorithms/BetweennessCentrality.h"
#include "heddle/graph/algorithms/BreadthFirstSearch.h"
#include "heddle/graph/algorithms/ConnectedComponents.h"
#include "heddle/graph/algorithms/CoreNumbers.h"
#include "heddle/graph/algorithms/LabelPropagation.h"
#include "heddle/graph/algorithms/PageRank.h"
#include "heddle/graph/algorithms/ShortestPaths.h"
#include "heddle/graph/algorithms/TriangleCount.h"
#include "heddle/graph/verify/BreadthFirstSearch.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace {

using namespace heddle::graph;
using namespace heddle::test;

template <typename Values> auto all(const Values &values) {
  return std::vector(values.begin(), values.end());
}

template <typename Store> void expectSameResults(const Store &graph) {
  const auto csr = toCsr(graph);
  EXPECT_EQ(all(connectedComponents(graph)), all(connectedComponents(csr)));
  EXPECT_EQ(all(labelPropagation(graph)), all(labelPropagation(csr)));
  if (!graph.isDirected()) {
    EXPECT_EQ(all(coreNumbers(graph)), all(coreNumbers(csr)));
    EXPECT_EQ(triangleCount(graph), triangleCount(csr));
  }
  const auto rank = pageRank<double>(graph), csrRank = pageRank<double>(csr);
  for (std::size_t v = 0; v < csrRank.rank.size(); ++v)
    ASSERT_NEAR(rank.rank[v], csrRank.rank[v], 1e-9);
  for (const auto source : sampleSources(graph)) {
    EXPECT_EQ(verifyBreadthFirstSearch(csr, source,
                                       breadthFirstSearch(graph, source)),
              Violation());
    if constexpr (IsWeighted<Store>)
      EXPECT_EQ(all(shortestPaths(graph, source)),
                all(shortestPaths(csr, source)));
  }
}

template <typename Store> class CBListAlgorithms : public testing::Test {};
using Stores =
    testing::Types<CBList<>, CBList<std::uint32_t, std::int32_t, TinyShape>,
                   CBList<std::uint32_t, std::int32_t, ShapeBeside>>;
TYPED_TEST_SUITE(CBListAlgorithms, Stores);

TYPED_TEST(CBListAlgorithms, AfterLoading) {
  forEachSample<std::uint32_t, typename TypeParam::Weight>(
      [](const auto &csr) { expectSameResults(toCBList<TypeParam>(csr)); });
}

TYPED_TEST(CBListAlgorithms, AfterUpdates) {
  using Weight = typename TypeParam::Weight;
  for (const bool directed : {true, false}) {
    std::mt19937 random(1);
    auto graph = toCBList<TypeParam>(
        buildCsr(withWeights<Weight>(generateKronecker({.scale = 10})),
                 {.directed = directed}));
    const CBListModel<TypeParam> model(graph.vertexCount(), directed);
    for (int round = 0; round < 4; ++round) {
      std::vector<EdgeUpdate<std::uint32_t, Weight>> updates(8000);
      for (auto &update : updates) {
        update = model.randomUpdate(random, round % 2);
        if constexpr (IsWeighted<TypeParam>)
          ++update.edge.weight;
      }
      graph.updateEdges(updates);
      graph.updateVertex(static_cast<std::uint32_t>(round), UpdateMode::Delete);
      expectSameResults(graph);
    }
    graph.compact();
    expectSameResults(graph);
  }
}

} // namespace
