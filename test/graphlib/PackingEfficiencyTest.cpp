//===- PackingEfficiencyTest.cpp - Shares of lanes, counted by hand -------===//

#include "heddle/graph/detail/PackingEfficiency.h"
#include "heddle/graph/Generate.h"
#include "heddle/graph/ToVectorSparse.h"
#include "heddle/graph/detail/Build.h"
#include "support/Threads.h"

#include <gtest/gtest.h>

#include <vector>

namespace {

using namespace heddle::graph;
using heddle::test::ThreadCount;
using heddle::test::ThreadCounts;

/// Vertex 0 has 7 out-edges and 1 in-edge, vertices 1 to 7 one in-edge, vertex
/// 1 also one out-edge, to vertex 0.
EdgeList<> starAndBack() {
  EdgeList<> list;
  list.vertexCount = 9;
  list.edges = Array<Edge<std::uint32_t>>(8);
  for (std::uint32_t i = 0; i < 7; ++i)
    list.edges[i] = {0, i + 1, {}};
  list.edges[7] = {1, 0, {}};
  return list;
}

TEST(PackingEfficiency, AStarCountedByHand) {
  const Csr<> graph = buildCsr(starAndBack());
  for (int threads : ThreadCounts) {
    ThreadCount scope(threads);
    // Out: rows of 7 and 1 edges are 2 + 1 vectors of 4, 1 + 1 of 8 or of 16.
    EXPECT_DOUBLE_EQ(packingEfficiency(graph, 4).out, 8.0 / 12);
    EXPECT_DOUBLE_EQ(packingEfficiency(graph, 8).out, 8.0 / 16);
    EXPECT_DOUBLE_EQ(packingEfficiency(graph, 16).out, 8.0 / 32);
    // In: eight rows of one edge.
    EXPECT_DOUBLE_EQ(packingEfficiency(graph, 4).in, 1.0 / 4);
    EXPECT_DOUBLE_EQ(packingEfficiency(graph, 16).in, 1.0 / 16);
  }
}

TEST(PackingEfficiency, BothDirectionsOfAnUndirectedGraphAreOne) {
  // Without the parallel edge: rows of 7 edges and seven of 1.
  const Csr<> graph = buildCsr(starAndBack(), {.directed = false});
  EXPECT_DOUBLE_EQ(packingEfficiency(graph, 4).out, 14.0 / (4 * 9));
  EXPECT_DOUBLE_EQ(packingEfficiency(graph, 4).in, 14.0 / (4 * 9));
}

TEST(PackingEfficiency, FullVectorsWasteNothing) {
  // Each vertex of a ring of 8 leads to all: rows of 8 edges.
  EdgeList<> list;
  list.vertexCount = 8;
  list.edges = Array<Edge<std::uint32_t>>(64);
  for (std::uint32_t i = 0; i < 64; ++i)
    list.edges[i] = {i / 8, i % 8, {}};
  const Csr<> graph = buildCsr(list);
  EXPECT_EQ(packingEfficiency(graph, 1).out, 1);
  EXPECT_EQ(packingEfficiency(graph, 4).out, 1);
  EXPECT_EQ(packingEfficiency(graph, 8).in, 1);
  EXPECT_EQ(packingEfficiency(graph, 16).in, 0.5);
}

TEST(PackingEfficiency, NothingIsWastedWithoutEdges) {
  EXPECT_EQ(packingEfficiency(Csr<>(), 8).out, 1);
  EdgeList<> list;
  list.vertexCount = 3;
  EXPECT_EQ(packingEfficiency(buildCsr(list), 8).in, 1);
}

TEST(PackingEfficiency, AStoreHasWhatWasForetold) {
  const auto graph = buildCsr(generateKronecker({.scale = 12}));
  const auto expectShare = [&](const auto &store) {
    const auto share = [](const auto &rows) {
      return static_cast<double>(rows.edgeCount) /
             static_cast<double>(rows.lanes.size());
    };
    constexpr unsigned Lanes =
        std::remove_cvref_t<decltype(store)>::Layout::Lanes;
    EXPECT_DOUBLE_EQ(packingEfficiency(graph, Lanes).out,
                     share(store.outRows()));
    EXPECT_DOUBLE_EQ(packingEfficiency(store, Lanes).in, share(store.inRows()));
  };
  expectShare(toVectorSparse<VectorSparse<std::uint64_t, 4>>(graph));
  expectShare(toVectorSparse<VectorSparse<std::uint32_t, 8>>(graph));
  expectShare(toVectorSparse<VectorSparse<std::uint32_t, 16>>(graph));
}

} // namespace
