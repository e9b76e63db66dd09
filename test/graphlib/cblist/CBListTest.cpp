//===- CBListTest.cpp - Graphs that are loaded into chunks ----------------===//

#include "../support/UpdatableLoadTests.h"
#include "CBListInstances.h"

#include <gtest/gtest.h>

#include <vector>

namespace heddle::test {

INSTANTIATE_TYPED_TEST_SUITE_P(CBList, UpdatableLoads, CBListStores);

namespace {

static_assert(UpdatableGraph<CBList<std::uint64_t, float, ShapeBeside>>);
static_assert(sizeof(CBList<>::Rows::Record) == 32);
static_assert(sizeof(CBList<std::uint64_t>::Rows::Record) == 32);

template <typename Store> class CBListTyped : public testing::Test {};
TYPED_TEST_SUITE(CBListTyped, CBListStores);

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

TEST(CBList, TooManyVerticesAreRefused) {
  EXPECT_THROW(CBList<std::uint64_t>(std::uint64_t(1) << 60), std::bad_alloc);
}

TEST(CBList, VerticesWithoutEdgesHaveNoChunk) {
  EXPECT_EQ(CBList<>(1000).outRows().store().bytes(), 0u);
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

/// Checks the memory of a graph in which all vertices have the same degree, in
/// tenths of the memory of a Csr.
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

} // namespace
} // namespace heddle::test
