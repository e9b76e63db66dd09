//===- CBListTest.cpp - Graphs that are loaded into chunks ----------------===//

#include "heddle/graph/CBList.h"
#include "CBListModel.h"
#include "SampleGraphs.h"
#include "heddle/graph/Process.h"
#include "heddle/graph/ToCBList.h"
#include "heddle/graph/ToCsr.h"
#include "heddle/graph/ToVectorSparse.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ranges>
#include <vector>

namespace {

using namespace heddle::graph;
using namespace heddle::test;

static_assert(std::ranges::forward_range<CBList<>::Edges>);
static_assert(std::ranges::common_range<CBList<>::Edges>);
static_assert(UpdatableGraph<CBList<std::uint64_t, float, ShapeBeside>>);
static_assert(sizeof(CBList<>::Rows::Record) == 32);
static_assert(sizeof(CBList<std::uint64_t>::Rows::Record) == 32);

template <typename Store> void expectSound(const Store &graph) {
  const Violation found = graph.check();
  ASSERT_FALSE(found) << *found;
}

template <typename Store> class CBListTyped : public testing::Test {};
TYPED_TEST_SUITE(CBListTyped, CBListStores);

TYPED_TEST(CBListTyped, LoadedGraphsAreThoseOfCsr) {
  using VertexId = typename TypeParam::VertexId;
  forEachSample<VertexId, typename TypeParam::Weight>([](const auto &csr) {
    const auto graph = toCBList<TypeParam>(csr);
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

TYPED_TEST(CBListTyped, EveryDegreeHasItsPieces) {
  // Vertex v has v out-edges: all sizes of chunks, and trees of several levels.
  using VertexId = typename TypeParam::VertexId;
  using Weight = typename TypeParam::Weight;
  constexpr VertexId Vertices = 400;
  std::vector<std::pair<VertexId, VertexId>> edges;
  for (VertexId from = 0; from < Vertices; ++from)
    for (VertexId to = 0; to < from; ++to)
      edges.push_back({from, to});
  const auto list = withWeights<Weight>(listOf<VertexId>(Vertices, edges));
  const auto graph = toCBList<TypeParam>(buildCsr(list));
  expectSound(graph);
  for (VertexId v = 0; v < Vertices; ++v) {
    EXPECT_EQ(graph.outDegree(v), v);
    EXPECT_EQ(graph.inDegree(v), Vertices - 1 - v);
    const bool isTree = v > TypeParam::Layout::MostChunkEdges;
    EXPECT_EQ(graph.outRows().record(v).level() != 0, isTree);
  }
  EXPECT_EQ(FlatGraph(graph), FlatGraph(buildCsr(list)));
}

TEST(CBList, ListsAreBuiltLikeCsr) {
  for (const auto &sample : sampleLists<std::uint32_t>())
    for (const bool directed : {true, false})
      for (const bool dropSelfLoops : {true, false}) {
        SCOPED_TRACE(sample.name);
        const auto list = withWeights<float>(sample.list);
        const BuildOptions options = {.directed = directed,
                                      .dropSelfLoops = dropSelfLoops};
        const auto graph = buildCBList(list, options);
        expectSound(graph);
        EXPECT_EQ(FlatGraph(graph), FlatGraph(buildCsr(list, options)));
      }
}

TEST(CBList, OfParallelEdgesTheLightestStays) {
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
    for (const auto &graph :
         {buildCBList(list, options),
          toCBList<CBList<std::uint32_t, float>>(buildCsr(list, options))}) {
      expectSound(graph);
      EXPECT_EQ(flatten(graph), (FlatEdges{{0, 1, 2}, {1, 2, 1}}));
      EXPECT_EQ(flatten(graph, true), (FlatEdges{{1, 0, 2}, {2, 1, 1}}));
    }
  }
}

TEST(CBList, EdgesOutOfOrderAreRefused) {
  CsrRows<std::uint32_t, Unweighted> rows;
  rows.offsets = Array<std::uint64_t>(3);
  rows.offsets[0] = rows.offsets[1] = 0;
  rows.offsets[2] = 2;
  rows.targets = Array<std::uint32_t>(2);
  rows.targets[0] = 1;
  rows.targets[1] = 0;
  const Csr<> csr(std::move(rows));
  try {
    toCBList<CBList<>>(csr);
    FAIL() << "accepted";
  } catch (const Error &error) {
    EXPECT_STREQ(error.what(), "edges of vertex 1: expected ascending targets");
  }
}

TEST(CBList, EndsThatAreNoVertexAreRefused) {
  EXPECT_THROW(buildCBList(listOf<std::uint32_t>(2, {{0, 2}})), Error);
  EXPECT_THROW(CBList<std::uint64_t>(std::uint64_t(1) << 60), std::bad_alloc);
}

TEST(CBList, VerticesWithoutEdgesHaveNoChunkAndNoPhantomEdge) {
  const CBList<> graph(1000);
  expectSound(graph);
  EXPECT_EQ(graph.outRows().store().bytes(), 0u);
  for (std::uint32_t v = 0; v < graph.vertexCount(); ++v) {
    EXPECT_EQ(graph.outEdges(v).begin(), graph.outEdges(v).end());
    EXPECT_TRUE(graph.inEdges(v).empty());
  }
  const CBList<> none;
  expectSound(none);
  EXPECT_EQ(none.vertexCount(), 0u);
  EXPECT_EQ(none.edgeCount(), 0u);
}

TEST(CBList, MemoryIsAtMostTwoPointOneTimesThatOfCsr) {
  for (const auto &list :
       {generateKronecker({.scale = 14}),
        generateUniform({.vertices = 10000, .edges = 160000})}) {
    const auto csr = buildCsr(list);
    const std::size_t bytes =
        2 * (8 * std::size_t(csr.vertexCount()) + 4 * csr.edgeCount());
    const auto graph = toCBList<CBList<>>(csr);
    EXPECT_LE(graph.bytes(), bytes * 21 / 10);
    EXPECT_GE(graph.bytes(), bytes);
  }
}

/// A graph in which all vertices have the same degree, in tenths of what Csr
/// takes.
template <typename Store>
void expectSmall(std::uint32_t degree, std::size_t mostTenths) {
  constexpr std::uint32_t Vertices = 2000;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t v = 0; v < Vertices; ++v)
    for (std::uint32_t i = 1; i <= degree; ++i)
      edges.push_back({v, (v + i) % Vertices});
  using Weight = typename Store::Weight;
  const auto csr =
      buildCsr(withWeights<Weight>(listOf<std::uint32_t>(Vertices, edges)));
  const std::size_t bytes =
      2 * Vertices * (8 + degree * (IsWeighted<Store> ? 8 : 4));
  EXPECT_LE(toCBList<Store>(csr).bytes(), bytes * mostTenths / 10) << degree;
}

TEST(CBList, NoDegreeTakesMuchMemory) {
  for (const std::uint32_t degree : {1, 2, 6, 7, 14, 15, 62, 63, 64, 200}) {
    expectSmall<CBList<>>(degree, 27);
    expectSmall<CBList<std::uint32_t, float>>(degree, 27);
  }
  // Most crossings of roads.
  expectSmall<CBList<>>(3, 17);
  expectSmall<CBList<std::uint32_t, float>>(3, 11);
}

TEST(CBList, AMovedGraphIsTheSameAndLeavesNone) {
  auto graph = buildCBList(generateKronecker({.scale = 8}));
  const FlatGraph expected(graph);
  CBList<> moved = std::move(graph);
  EXPECT_EQ(FlatGraph(moved), expected);
  EXPECT_EQ(graph.vertexCount(), 0u);
  EXPECT_EQ(graph.edgeCount(), 0u);
  expectSound(graph);
  graph = std::move(moved);
  EXPECT_EQ(FlatGraph(graph), expected);
  expectSound(graph);
}

TEST(CBList, OtherStoresAreCopiedToo) {
  const auto csr = buildCsr(generateKronecker({.scale = 8}));
  const auto expected = toCBList<CBList<>>(csr);
  EXPECT_EQ(FlatGraph(toCBList<CBList<>>(toVectorSparse<VectorSparse<>>(csr))),
            FlatGraph(expected));
  EXPECT_EQ(FlatGraph(toCBList<CBList<std::uint64_t>>(expected)),
            FlatGraph(expected));
}

TEST(CBList, LoadGraphBuildsOne) {
  static_assert(
      requires(const std::string &path) { loadGraph<CBList<>>(path); });
  const auto list = generateKronecker({.scale = 6});
  EXPECT_EQ(FlatGraph(detail::Loader<CBList<>>::load(list, {})),
            FlatGraph(buildCsr(list)));
}

} // namespace
