//===- BetweennessCentralityTest.cpp - Brandes's algorithm ----------------===//

#include "heddle/graph/algorithms/BetweennessCentrality.h"
#include "../support/SampleGraphs.h"
#include "heddle/graph/verify/BetweennessCentrality.h"

#include <array>

namespace {

using namespace heddle::graph;
using namespace heddle::test;

template <typename VertexId>
class BetweennessCentrality : public testing::Test {};
using VertexIds = testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(BetweennessCentrality, VertexIds);

TYPED_TEST(BetweennessCentrality, IsThatOfBrandesInAllSamples) {
  forEachSample<TypeParam>([](const auto &graph) {
    const auto sources = sampleSources(graph);
    EXPECT_EQ(verifyBetweennessCentrality(
                  graph, sources, betweennessCentrality(graph, sources), 1e-9),
              std::nullopt);
  });
}

TEST(BetweennessCentralityValues, OfAChainAreProductsOfItsParts) {
  for (const bool directed : {true, false}) {
    const Csr<> graph = buildCsr(generateGrid(1, 5), {.directed = directed});
    const auto centrality =
        betweennessCentrality(graph, std::array{0u, 1u, 2u, 3u, 4u});
    for (std::uint32_t v = 0; v < 5; ++v)
      EXPECT_DOUBLE_EQ(centrality[v], v * (4 - v) * (directed ? 1.0 : 2.0));
  }
}

TEST(BetweennessCentralityValues, SurviveMorePathsThanADoubleCanCount) {
  // 1200 over 600 is more than 1e360.
  const Csr<> graph = buildCsr(generateGrid(601, 601), {.directed = false});
  const std::array sources = {0u};
  for (const int threads : {1, 2}) {
    ThreadCount scope(threads);
    EXPECT_EQ(verifyBetweennessCentrality(
                  graph, sources, betweennessCentrality(graph, sources)),
              std::nullopt);
  }
}

TEST(BetweennessCentralityValues, AreZeroWithoutSources) {
  const Csr<> graph = buildCsr(generateGrid(2, 2));
  const auto centrality = betweennessCentrality(graph, {});
  EXPECT_EQ(std::count(centrality.begin(), centrality.end(), 0.0), 4);
}

TEST(BetweennessCentralityErrors, SourcesMustExist) {
  const Csr<> graph = buildCsr(generateGrid(2, 2));
  EXPECT_THROW(betweennessCentrality(graph, std::array{1u, 4u}), Error);
}

TEST(VerifyBetweennessCentrality, FindsWrongValues) {
  const Csr<> graph = buildCsr(generateGrid(3, 3), {.directed = false});
  const std::array sources = {0u, 4u};
  auto centrality = betweennessCentrality(graph, sources);
  const auto verify = [&] {
    return verifyBetweennessCentrality(graph, sources, centrality);
  };
  ASSERT_EQ(verify(), std::nullopt);
  for (double &value : centrality) {
    const double right = value;
    for (const double wrong : {right + 0.01, right - 0.01, std::nan("")}) {
      value = wrong;
      EXPECT_TRUE(verify());
    }
    value = right;
  }
}

} // namespace
