//===- ConnectedComponentsTest.cpp - Components ---------------------------===//

#include "heddle/graph/algorithms/ConnectedComponents.h"
#include "../support/SampleGraphs.h"
#include "heddle/graph/verify/ConnectedComponents.h"

namespace {

using namespace heddle::graph;
using namespace heddle::test;

template <typename VertexId>
class ConnectedComponents : public testing::Test {};
using VertexIds = testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(ConnectedComponents, VertexIds);

TYPED_TEST(ConnectedComponents, AreThoseOfUnionFindInAllSamples) {
  forEachSample<TypeParam>([](const auto &graph) {
    EXPECT_EQ(verifyConnectedComponents(graph, connectedComponents(graph)),
              std::nullopt);
  });
}

TYPED_TEST(ConnectedComponents, OfManyThreads) {
  const auto graph = buildCsr(
      generateUniform<TypeParam>({.vertices = 100000, .edges = 60000}));
  for (const int threads : ThreadCounts) {
    ThreadCount scope(threads);
    EXPECT_EQ(verifyConnectedComponents(graph, connectedComponents(graph)),
              std::nullopt);
  }
}

TEST(VerifyConnectedComponents, FindsWrongLabels) {
  // Two components: 0 1 2 and 3 4.
  const Csr<> graph =
      buildCsr(listOf<std::uint32_t>(5, {{2, 0}, {2, 1}, {4, 3}}));
  const auto verify = [&](std::vector<std::uint32_t> component) {
    return verifyConnectedComponents(graph, component);
  };
  EXPECT_EQ(verify({0, 0, 0, 3, 3}), std::nullopt);
  EXPECT_EQ(verify({0, 0, 0, 3, 4}), "vertex 4: expected component 3, found 4");
  EXPECT_EQ(verify({0, 1, 0, 3, 3}), "vertex 1: expected component 0, found 1");
  EXPECT_TRUE(verify({0, 0, 0, 0, 0}));
  EXPECT_TRUE(verify({2, 2, 2, 3, 3}));
  EXPECT_TRUE(verify({0, 0, 0, 3}));
}

} // namespace
