//===- UpdatableAlgorithmsTests.h - The same results as on Csr --*- C++ -*-===//
//
// All algorithms on a store that takes updates. A test instantiates this for
// its stores, and defines the function that makes them: `storeOf<Store>(csr)`.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TEST_GRAPHLIB_SUPPORT_UPDATABLEALGORITHMSTESTS_H
#define HEDDLE_TEST_GRAPHLIB_SUPPORT_UPDATABLEALGORITHMSTESTS_H

#include "CBListModel.h"
#include "FlatGraph.h"
#include "SampleGraphs.h"
#include "heddle/graph/Generate.h"
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
#include <ranges>
#include <utility>
#include <vector>

namespace heddle::test {

using namespace heddle::graph;

/// A store of a test's own.
template <typename Store, typename Source> Store storeOf(const Source &graph);

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

template <typename Store> class UpdatableAlgorithms : public testing::Test {};
TYPED_TEST_SUITE_P(UpdatableAlgorithms);

TYPED_TEST_P(UpdatableAlgorithms, AfterLoading) {
  forEachSample<std::uint32_t, typename TypeParam::Weight>(
      [](const auto &csr) { expectSameResults(storeOf<TypeParam>(csr)); });
}

/// A graph whose ranges of edges own the data that their iterators need.
template <typename Base> class ViewedGraph : public Base {
public:
  explicit ViewedGraph(Base base) : Base(std::move(base)) {}

  auto outEdges(typename Base::VertexId v) const {
    return viewed(Base::outEdges(v));
  }
  auto inEdges(typename Base::VertexId v) const {
    return viewed(Base::inEdges(v));
  }

private:
  static auto viewed(typename Base::Edges edges) {
    const auto offset = static_cast<typename Base::VertexId>(edges.size());
    return std::move(edges) | std::views::transform([offset](auto edge) {
             edge.target += offset;
             return edge;
           }) |
           std::views::transform([offset](auto edge) {
             edge.target -= offset;
             return edge;
           });
  }
};

TYPED_TEST_P(UpdatableAlgorithms, LoadingKeepsRangesOfEdgesAlive) {
  using Weight = typename TypeParam::Weight;
  for (const bool directed : {true, false}) {
    const auto build = [&] {
      return buildCsr(withWeights<Weight>(generateKronecker({.scale = 8})),
                      {.directed = directed});
    };
    EXPECT_EQ(FlatGraph(storeOf<TypeParam>(ViewedGraph(build()))),
              FlatGraph(storeOf<TypeParam>(build())));
  }
}

TYPED_TEST_P(UpdatableAlgorithms, AfterUpdates) {
  using Weight = typename TypeParam::Weight;
  for (const bool directed : {true, false}) {
    std::mt19937 random(1);
    auto graph = storeOf<TypeParam>(
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
    if constexpr (requires { graph.compact(); }) {
      graph.compact();
      expectSameResults(graph);
    }
  }
}

REGISTER_TYPED_TEST_SUITE_P(UpdatableAlgorithms, AfterLoading,
                            LoadingKeepsRangesOfEdgesAlive, AfterUpdates);

} // namespace heddle::test

#endif
