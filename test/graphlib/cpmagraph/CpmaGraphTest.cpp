//===- CpmaGraphTest.cpp - Graphs that are loaded into one set ------------===//

#include "../support/UpdatableLoadTests.h"
#include "CpmaGraphInstances.h"
#include "heddle/graph/Generate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

namespace heddle::test {

INSTANTIATE_TYPED_TEST_SUITE_P(CpmaGraph, UpdatableLoads, CpmaGraphStores);

namespace {

template <typename Store> class CpmaGraphTyped : public testing::Test {};
TYPED_TEST_SUITE(CpmaGraphTyped, CpmaGraphStores);

TYPED_TEST(CpmaGraphTyped, RowsOfAllSizesBeginAndEndAnywhereInLeaves) {
  using Weight = typename TypeParam::Weight;
  constexpr std::uint32_t Vertices = 400;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t from = 0; from < Vertices; ++from)
    for (std::uint32_t to = 0; to < from; ++to)
      edges.push_back({from, to});
  const auto list = withWeights<Weight>(listOf<std::uint32_t>(Vertices, edges));
  const auto graph = toCpmaGraph<TypeParam>(buildCsr(list));
  expectSound(graph);
  for (std::uint32_t v = 0; v < Vertices; ++v) {
    EXPECT_EQ(graph.outDegree(v), v);
    EXPECT_EQ(graph.inDegree(v), Vertices - 1 - v);
  }
  EXPECT_EQ(FlatGraph(graph), FlatGraph(buildCsr(list)));
}

TYPED_TEST(CpmaGraphTyped, TargetsMayBeAsFarApartAsTheyCan) {
  // Codes of all lengths, within a row and from one to the next.
  using Weight = typename TypeParam::Weight;
  using Edge = Neighbour<std::uint32_t, Weight>;
  std::vector<std::vector<Edge>> rows(70001);
  const auto add = [&](std::uint32_t from, std::uint32_t to) {
    Edge edge = {to, {}};
    if constexpr (IsWeighted<TypeParam>)
      edge.weight = static_cast<Weight>((from + to) % 7);
    rows[from].push_back(edge);
  };
  for (const std::uint32_t from : {0u, 1u, 2u, 70000u})
    for (unsigned bit = 0; bit < 32; ++bit)
      add(from, (std::uint32_t(1) << bit) - 1);
  for (const std::uint32_t from : {3u, 4u, 5u}) {
    add(from, 0);
    add(from, NoVertex<std::uint32_t> - 1);
  }
  const auto loaded = cpmagraph::loadRows<typename TypeParam::Layout>(
      70001,
      [&](std::uint32_t v) {
        return std::ranges::subrange(rows[v].begin(), rows[v].end());
      },
      1.2);
  for (std::uint32_t v = 0; v < rows.size(); ++v) {
    ASSERT_EQ(loaded.degree(v), rows[v].size());
    ASSERT_TRUE(std::ranges::equal(loaded[v], rows[v]));
  }
}

TEST(CpmaGraph, ALongRowOfParallelEdgesIsOne) {
  // Longer than a block of the loader.
  EdgeList<std::uint32_t> list;
  list.vertexCount = 2;
  list.edges = Array<Edge<std::uint32_t>>(100000);
  for (auto &edge : list.edges)
    edge = {0, 1, {}};
  const auto graph = toCpmaGraph<CpmaGraph<>>(
      buildCsr(list, {.parallelEdges = ParallelEdges::KeepAll}));
  expectSound(graph);
  EXPECT_EQ(flatten(graph), (FlatEdges{{0, 1, 0}}));
}

TEST(CpmaGraph, GrowingFactorsOutOfRangeAreRefused) {
  EXPECT_THROW(CpmaGraph<>(2, true, {.growingFactor = 1}), Error);
  EXPECT_THROW(
      toCpmaGraph<CpmaGraph<>>(buildCsr(listOf<std::uint32_t>(2, {{0, 1}})),
                               {.growingFactor = 5}),
      Error);
}

TEST(CpmaGraph, WithoutEdgesThereAreNoLeaves) {
  EXPECT_TRUE(CpmaGraph<>(1000).outRows().leaves().empty());
}

TEST(CpmaGraph, TheFirstUpdatesMakeALoadedArrayGrowOnce) {
  auto graph = buildCpmaGraph(generateKronecker({.scale = 12}));
  const std::size_t loaded = graph.bytes();
  std::size_t grown = 0, before = loaded;
  for (std::uint32_t v = 0; v < 1000; ++v) {
    graph.updateEdge({{v, 4095 - v, {}}, UpdateMode::Add});
    grown += graph.bytes() != before;
    before = graph.bytes();
  }
  expectSound(graph);
  EXPECT_EQ(grown, 1u);
  EXPECT_LE(graph.bytes(), loaded + loaded / 2);
}

TEST(CpmaGraph, MemoryIsLessThanThatOfCsr) {
  for (const bool directed : {true, false}) {
    const auto csr =
        buildCsr(generateKronecker({.scale = 14}), {.directed = directed});
    const std::size_t bytes =
        (directed ? 2 : 1) *
        (8 * std::size_t(csr.vertexCount()) + 4 * csr.edgeCount());
    const auto graph = toCpmaGraph<CpmaGraph<>>(csr);
    EXPECT_LE(graph.bytes(), bytes);
    EXPECT_GE(graph.bytes(), bytes / 3);
  }
}

TEST(CpmaGraph, AScanSeesAllEdgesInOrder) {
  const auto graph =
      buildCpmaGraph(withWeights<float>(generateKronecker({.scale = 8})));
  FlatEdges seen;
  graph.scanAllEdges([&](std::uint32_t from, std::uint32_t to, float weight) {
    seen.emplace_back(from, to, weight);
  });
  EXPECT_EQ(seen, flatten(graph));
  std::size_t vertices = 0;
  for (const auto v :
       graph.scanVertices([](std::uint32_t v) { return v % 2 == 0; }))
    vertices += v % 2 == 0;
  EXPECT_EQ(vertices, graph.vertexCount() / 2);
}

TEST(CpmaGraph, ManyThreadsReadRightAfterAnUpdate) {
  // Nothing is computed on demand: the first queries need no synchronisation.
  auto graph = buildCpmaGraph(generateKronecker({.scale = 9}));
  for (std::uint32_t round = 0; round < 20; ++round) {
    graph.updateEdge({{round, 500 - round, {}}, UpdateMode::Add});
    std::vector<std::uint64_t> seen(4);
    std::vector<std::thread> threads;
    for (std::uint64_t &edges : seen)
      threads.emplace_back([&] {
        for (std::uint32_t v = 0; v < graph.vertexCount(); ++v)
          for (const auto edge : graph.outEdges(v))
            edges += edge.target < graph.vertexCount();
      });
    for (std::thread &thread : threads)
      thread.join();
    for (const std::uint64_t edges : seen)
      EXPECT_EQ(edges, graph.edgeCount());
  }
}

} // namespace
} // namespace heddle::test
