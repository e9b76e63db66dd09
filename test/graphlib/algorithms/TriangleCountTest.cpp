//===- TriangleCountTest.cpp - Numbers of triangles -----------------------===//

#include "heddle/graph/algorithms/TriangleCount.h"
#include "../support/SampleGraphs.h"
#include "heddle/graph/verify/TriangleCount.h"

namespace {

using namespace heddle::graph;
using namespace heddle::test;

template <typename VertexId> class TriangleCount : public testing::Test {};
using VertexIds = testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(TriangleCount, VertexIds);

TYPED_TEST(TriangleCount, IsThatOfIntersectionsInAllSamples) {
  forEachSample<TypeParam>([](const auto &graph) {
    if (graph.isDirected())
      EXPECT_THROW(triangleCount(graph), Error);
    else
      EXPECT_EQ(verifyTriangleCount(graph, triangleCount(graph)), std::nullopt);
  });
}

TEST(TriangleCountValues, OfACompleteGraphAreBinomialCoefficients) {
  for (std::uint32_t vertices = 0; vertices < 9; ++vertices) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    // Edges in both directions, and loops, which do not count.
    for (std::uint32_t a = 0; a < vertices; ++a)
      for (std::uint32_t b = 0; b < vertices; ++b)
        edges.push_back({a, b});
    const Csr<> graph =
        buildCsr(listOf<std::uint32_t>(vertices, edges),
                 {.directed = false, .parallelEdges = ParallelEdges::KeepAll});
    const std::uint64_t expected =
        vertices < 3 ? 0 : vertices * (vertices - 1) * (vertices - 2) / 6;
    EXPECT_EQ(triangleCount(graph), expected);
    EXPECT_EQ(verifyTriangleCount(graph, expected), std::nullopt);
    EXPECT_EQ(verifyTriangleCount(graph, expected + 1),
              "expected " + std::to_string(expected) + " triangles, found " +
                  std::to_string(expected + 1));
  }
}

} // namespace
