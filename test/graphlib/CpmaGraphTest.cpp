//===- CpmaGraphTest.cpp - Graphs that are loaded into one set ------------===//

#include "CpmaGraphStores.h"
#include "FlatGraph.h"
#include "SampleGraphs.h"
#include "heddle/graph/Generate.h"
#include "heddle/graph/Process.h"
#include "heddle/graph/ToCsr.h"
#include "heddle/graph/ToVectorSparse.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <ranges>
#include <thread>
#include <vector>

namespace {

using namespace heddle::graph;
using namespace heddle::test;

static_assert(std::ranges::forward_range<CpmaGraph<>::Edges>);
static_assert(std::ranges::common_range<CpmaGraph<>::Edges>);

template <typename Store> void expectSound(const Store &graph) {
  const Violation found = graph.check();
  ASSERT_FALSE(found) << *found;
}

template <typename Store> class CpmaGraphTyped : public testing::Test {};
TYPED_TEST_SUITE(CpmaGraphTyped, CpmaGraphStores);

TYPED_TEST(CpmaGraphTyped, LoadedGraphsAreThoseOfCsr) {
  forEachSample<std::uint32_t, typename TypeParam::Weight>([](const auto &csr) {
    const auto graph = toCpmaGraph<TypeParam>(csr);
    expectSound(graph);
    FlatGraph expected(csr);
    for (FlatEdges *edges : {&expected.out, &expected.in})
      edges->erase(std::unique(edges->begin(), edges->end(),
                               [](const FlatEdge &a, const FlatEdge &b) {
                                 return std::get<0>(a) == std::get<0>(b) &&
                                        std::get<1>(a) == std::get<1>(b);
                               }),
                   edges->end());
    EXPECT_EQ(FlatGraph(graph), expected);
    EXPECT_EQ(graph.edgeCount(), expected.out.size());
    EXPECT_EQ(FlatGraph(toCsr(graph)), expected);
  });
}

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

TEST(CpmaGraph, ListsAreBuiltLikeCsr) {
  for (const auto &sample : sampleLists<std::uint32_t>())
    for (const bool directed : {true, false})
      for (const bool dropSelfLoops : {true, false}) {
        SCOPED_TRACE(sample.name);
        const auto list = withWeights<float>(sample.list);
        const BuildOptions options = {.directed = directed,
                                      .dropSelfLoops = dropSelfLoops};
        const auto graph = buildCpmaGraph(list, options);
        expectSound(graph);
        EXPECT_EQ(FlatGraph(graph), FlatGraph(buildCsr(list, options)));
      }
}

TEST(CpmaGraph, OfParallelEdgesTheLightestStays) {
  EdgeList<std::uint32_t, float> list;
  list.vertexCount = 3;
  list.edges = Array<Edge<std::uint32_t, float>>(4);
  list.edges[0] = {0, 1, 5};
  list.edges[1] = {0, 1, 2};
  list.edges[2] = {0, 1, 3};
  list.edges[3] = {1, 2, 1};
  for (const auto parallel :
       {ParallelEdges::KeepAll, ParallelEdges::KeepLightest}) {
    const BuildOptions options = {.parallelEdges = parallel};
    for (const auto &graph : {buildCpmaGraph(list, options),
                              toCpmaGraph<CpmaGraph<std::uint32_t, float>>(
                                  buildCsr(list, options))}) {
      expectSound(graph);
      EXPECT_EQ(flatten(graph), (FlatEdges{{0, 1, 2}, {1, 2, 1}}));
      EXPECT_EQ(flatten(graph, true), (FlatEdges{{1, 0, 2}, {2, 1, 1}}));
    }
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

TEST(CpmaGraph, EdgesOutOfOrderAreRefused) {
  CsrRows<std::uint32_t, Unweighted> rows;
  rows.offsets = Array<std::uint64_t>(3);
  rows.offsets[0] = rows.offsets[1] = 0;
  rows.offsets[2] = 2;
  rows.targets = Array<std::uint32_t>(2);
  rows.targets[0] = 1;
  rows.targets[1] = 0;
  const Csr<> csr(std::move(rows));
  try {
    toCpmaGraph<CpmaGraph<>>(csr);
    FAIL() << "accepted";
  } catch (const Error &error) {
    EXPECT_STREQ(error.what(), "edges of vertex 1: expected ascending targets");
  }
}

TEST(CpmaGraph, WhatCannotBeIsRefused) {
  EXPECT_THROW(buildCpmaGraph(listOf<std::uint32_t>(2, {{0, 2}})), Error);
  EXPECT_THROW(CpmaGraph<>(2, true, {.growingFactor = 1}), Error);
  EXPECT_THROW(
      toCpmaGraph<CpmaGraph<>>(buildCsr(listOf<std::uint32_t>(2, {{0, 1}})),
                               {.growingFactor = 5}),
      Error);
}

TEST(CpmaGraph, WithoutEdgesThereAreNoLeaves) {
  const CpmaGraph<> graph(1000);
  expectSound(graph);
  EXPECT_TRUE(graph.outRows().leaves().empty());
  for (std::uint32_t v = 0; v < graph.vertexCount(); ++v) {
    EXPECT_EQ(graph.outEdges(v).begin(), graph.outEdges(v).end());
    EXPECT_TRUE(graph.inEdges(v).empty());
  }
  bool found[1] = {true};
  const EdgeQuery<std::uint32_t> query[] = {{0, 1}};
  EXPECT_EQ(graph.findEdges(query, found), 0u);
  EXPECT_FALSE(found[0]);
  EXPECT_FALSE(graph.hasEdge(3, 4));
  const CpmaGraph<> none;
  expectSound(none);
  EXPECT_EQ(none.vertexCount(), 0u);
  EXPECT_EQ(none.edgeCount(), 0u);
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

TEST(CpmaGraph, AMovedGraphIsTheSameAndLeavesNone) {
  auto graph = buildCpmaGraph(generateKronecker({.scale = 8}));
  const FlatGraph expected(graph);
  CpmaGraph<> moved = std::move(graph);
  EXPECT_EQ(FlatGraph(moved), expected);
  EXPECT_EQ(graph.vertexCount(), 0u);
  EXPECT_EQ(graph.edgeCount(), 0u);
  expectSound(graph);
  graph = std::move(moved);
  EXPECT_EQ(FlatGraph(graph), expected);
  expectSound(graph);
}

TEST(CpmaGraph, OtherStoresAreCopiedToo) {
  const auto csr = buildCsr(generateKronecker({.scale = 8}));
  const auto expected = toCpmaGraph<CpmaGraph<>>(csr);
  EXPECT_EQ(
      FlatGraph(toCpmaGraph<CpmaGraph<>>(toVectorSparse<VectorSparse<>>(csr))),
      FlatGraph(expected));
  EXPECT_EQ(FlatGraph(toCpmaGraph<TinyCpmaGraph<Unweighted>>(expected)),
            FlatGraph(expected));
}

TEST(CpmaGraph, LoadGraphBuildsOne) {
  static_assert(
      requires(const std::string &path) { loadGraph<CpmaGraph<>>(path); });
  const auto list = generateKronecker({.scale = 6});
  EXPECT_EQ(FlatGraph(detail::Loader<CpmaGraph<>>::load(list, {})),
            FlatGraph(buildCsr(list)));
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
  // Nothing is made on demand: the first queries need not know of each other.
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
